import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createBatches } from '../../../src/adapters/audit/batches.ts';
import { legacyLine, truncated } from '../../../src/adapters/audit/event-line.ts';
import { daysMs, openRotatingFile } from '../../../src/adapters/audit/line-writer.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();

// Source: apiserver pkg/audit/format_test.go.
test.each([
  [
    {
      stage: 'ResponseComplete',
      verb: 'get',
      auditID: 'i',
      requestURI: '/apis/rbac.authorization.k8s.io/v1/roles',
      user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      userAgent: 'kube-admin',
      objectRef: { namespace: 'default' },
      responseStatus: { code: 200 },
      requestReceivedTimestamp: '2026-01-02T03:04:05.120000Z',
    },
    String.raw`2026-01-02T03:04:05.12Z AUDIT: id="i" stage="ResponseComplete" ip="<unknown>" method="get" user="admin" groups="\"system:masters\",\"system:authenticated\"" as="<self>" asgroups="<lookup>" user-agent="kube-admin" namespace="default" uri="/apis/rbac.authorization.k8s.io/v1/roles" response="200"`,
  ],
  [
    {
      stage: 'RequestReceived',
      verb: 'list',
      auditID: 'j',
      requestURI: '/a',
      sourceIPs: ['10.0.0.1', '10.0.0.2'],
      impersonatedUser: { username: 'bo', groups: ['g'] },
      requestReceivedTimestamp: '2026-01-02T03:04:05.000000Z',
    },
    String.raw`2026-01-02T03:04:05Z AUDIT: id="j" stage="RequestReceived" ip="10.0.0.1" method="list" user="<none>" groups="<none>" as="bo" asgroups="\"g\"" user-agent="" namespace="<none>" uri="/a" response="<deferred>"`,
  ],
])('an event as a line of text %#', (event, line) => {
  expect(legacyLine(event)).toBe(line);
});

// Source: apiserver plugin/pkg/audit/truncate/truncate_test.go.
test.each([
  ['small enough', { a: 1 }, 8, '{"a":1}'],
  [
    'without its bodies',
    { a: 1, requestObject: { x: 'y'.repeat(99) } },
    80,
    '{"a":1,"annotations":{"audit.k8s.io/truncated":"true"}}',
  ],
  ['too large even then', { a: 'z'.repeat(99), responseObject: {} }, 80, undefined],
  ['too large, without bodies', { a: 'z'.repeat(99) }, 80, undefined],
])('an event that is %s', (_fact, event, most, line) => {
  expect(truncated(JSON.stringify(event), most)).toBe(line);
});

const rotation = { maxBytes: 10, maxBackups: 2, maxAge: 0, compress: false };
const start = Date.UTC(2026, 0, 31, 10, 11, 12, 345);

/** Writes lines of eight bytes, a second apart, and says what lies there afterwards. */
function written(name: string, lines: number, how: Partial<typeof rotation>): readonly string[] {
  let now = start;
  const file = openRotatingFile(join(folder, `${name}.log`), { ...rotation, ...how }, () => now);
  for (let line = 1; line <= lines; line += 1) {
    file.write(Buffer.from(`line ${line}.\n`));
    now += 1000;
  }
  file.close();
  return readdirSync(folder).filter((one) => one.startsWith(name));
}

test('a log that is full is put aside under the time of day, and the oldest go', () => {
  const names = written('few', 4, {});
  expect(names).toEqual(['few-2026-01-31T10-11-14.345.log', 'few-2026-01-31T10-11-15.345.log', 'few.log']);
  expect(readFileSync(join(folder, 'few.log'), 'utf8')).toBe('line 4.\n');
  expect(readFileSync(join(folder, names[0] ?? ''), 'utf8')).toBe('line 2.\n');
});

test.each([
  ['never full', { maxBytes: 0 }, 1],
  ['kept for good', { maxBackups: 0 }, 4],
  ['too old', { maxBackups: 0, maxAge: 1500 }, 3],
  ['not too old', { maxBackups: 0, maxAge: daysMs(1) }, 4],
])('logs that are %s', (fact, how, files) => {
  expect(written(fact.replaceAll(' ', '-'), 4, how)).toHaveLength(files);
});

test('old logs are compressed', () => {
  const [old = ''] = written('packed', 2, { compress: true });
  expect(old).toBe('packed-2026-01-31T10-11-13.345.log.gz');
  expect(gunzipSync(readFileSync(join(folder, old))).toString()).toBe('line 1.\n');
});

const still = { sleep: () => new Promise<void>(() => {}), now: () => 0 };

async function delivered(lines: number, config: Partial<Parameters<typeof createBatches>[0]>) {
  const batches: (readonly string[])[] = [];
  const lost: string[] = [];
  const deliver = async (batch: readonly string[]): Promise<void> => void batches.push(batch);
  const ports = { ...still, deliver, report: (text: string) => void lost.push(text) };
  const all = createBatches({ bufferSize: 10, maxSize: 2, maxWait: 0, throttle: undefined, ...config }, ports);
  for (let line = 1; line <= lines; line += 1) all.add(String(line));
  await all.close();
  return { batches, lost: lost.length };
}

test('events go together, and what finds no room is lost', async () => {
  expect(await delivered(3, {})).toEqual({ batches: [['1', '2'], ['3']], lost: 0 });
  expect(await delivered(3, { bufferSize: 2 })).toEqual({ batches: [['1', '2']], lost: 1 });
});

test('a batch that waits to be full goes when the log is closed', async () => {
  expect(await delivered(1, { maxWait: 30_000 })).toEqual({ batches: [['1']], lost: 0 });
});
