import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KadmitProcess, startKadmitProcess } from './kadmit-process.ts';
import { createKubectl, findKubectls, type Kubectl, type Printed } from './kubectl.ts';

/** A command and the output of kubectl. Omitted outputs must be empty, an omitted code is 0. */
export interface Row {
  /** `$NS` is the namespace of the story and of the command; `$URL` and `$CA` are the webhook's. */
  readonly run: string;
  readonly stdin?: string;
  /** Additional environment variables. */
  readonly env?: NodeJS.ProcessEnv;
  readonly code?: number;
  /** Repeated spaces are collapsed, times replaced by `AGE`. */
  readonly out?: string | RegExp;
  readonly err?: string | RegExp;
  /** The output with a server of these releases, when KUBERNETES_VERSION selects one. */
  readonly outIn?: Readonly<Record<string, string | RegExp>>;
  /** The first minor version of kubectl that supports it. */
  readonly since?: number;
}

/** Plays each story against a real server with every available kubectl. Stories run concurrently, their rows in order. */
export function describeStories(stories: Readonly<Record<string, readonly Row[]>>): void {
  const kubectls = findKubectls();
  reportMissing(kubectls);
  describe.each(kubectls.map((path) => [basename(path), path] as const))('%s', (name, path) => {
    let server: KadmitProcess;
    let kubectl: Kubectl;
    let minor = 0;
    beforeAll(async () => {
      server = await startKadmitProcess();
      kubectl = createKubectl(path, server, name);
      minor = Number(/"minor": "(\d+)/.exec((await kubectl.run('version --client -o json')).out)?.[1]);
    });
    afterAll(() => server.stop());

    test.concurrent.for(Object.entries(stories))('%s', async ([story, rows], { expect }) => {
      const namespace = story
        .toLowerCase()
        .replaceAll(/[^a-z]+/g, '-')
        .slice(0, 50);
      const fillPlaceholders = (text: string): string =>
        text
          .replaceAll('$NS', namespace)
          .replaceAll('$URL', server.webhook.url)
          .replaceAll('$CA', server.webhook.caBundle);
      await kubectl.run(`create namespace ${namespace}`);
      for (const row of rows) {
        if (minor < (row.since ?? 0)) continue;
        const printed = await kubectl.run(
          `-n ${namespace} ${fillPlaceholders(row.run)}`,
          fillPlaceholders(row.stdin ?? ''),
          row.env,
        );
        expect
          .soft({ run: row.run, ...normalisePrinted(printed, namespace) })
          .toEqual({ run: row.run, ...expected(row) });
      }
    });
  });
}

/** Without kubectl, one skipped test replaces all stories. */
export function reportMissing(kubectls: readonly string[]): void {
  test.for(kubectls.length === 0 ? ['there is no kubectl on the PATH and none in KUBECTLS'] : [])(
    'NOT RUN: %s',
    (reason, { skip, expect }) => {
      expect(kubectls).toEqual([]);
      skip(reason);
    },
  );
}

const release = process.env['KUBERNETES_VERSION'] ?? '';

const toMatcher = (text: string | RegExp): unknown => (typeof text === 'string' ? text : expect.stringMatching(text));

const expected = ({ code = 0, out = '', outIn = {}, err = '' }: Row): object => ({
  code,
  out: toMatcher(outIn[release] ?? out),
  err: toMatcher(err),
});

const normalisePrinted = ({ code, out, err }: Printed, namespace: string): Printed => ({
  code,
  out: normaliseText(out, namespace),
  err: normaliseText(err, namespace),
});

const normaliseText = (text: string, namespace: string): string =>
  text
    .replaceAll(namespace, '$NS')
    .replaceAll(/\b\d+s\b/g, 'AGE')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ $/gm, '');
