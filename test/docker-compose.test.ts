import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { servingNames } from '../src/adapters/certificates/serving-names.ts';
import { parseFlags } from '../src/adapters/config/flags/flags.ts';
import { serveFlags } from '../src/adapters/config/flags/serve/serve-options.ts';
import type { ServerConfig } from '../src/adapters/config/server-config.ts';

// There is no container engine where the tests run, so every path, port, name and flag of the file is compared with the code.

interface Service {
  readonly build: string;
  readonly image: string;
  readonly working_dir: string;
  readonly command: readonly string[];
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const compose: { readonly services: Readonly<Record<'kadmit' | 'hooks', Service>>; readonly volumes: object } = parse(
  readFileSync('docker-compose.yml', 'utf8'),
);
const { kadmit, hooks } = compose.services;
const [command, ...flags] = kadmit.command;
const config = configOf(flags);
const dockerfile = readFileSync('Dockerfile', 'utf8');
/** The default command of the image. */
const [imageCommand, ...imageFlags]: readonly string[] = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '[]');
const imageConfig = configOf(imageFlags);
const script = readFileSync('scenarios/getting-started/webhooks.mjs', 'utf8');

function configOf(args: readonly string[]): ServerConfig {
  const parsed = parseFlags(serveFlags, args);
  if (parsed.outcome !== 'parsed') throw new Error(JSON.stringify(parsed));
  expect(parsed.rest).toEqual([]);
  return parsed.options;
}

test('compose builds the image of the Dockerfile and runs the server in it', () => {
  expect([kadmit.build, command, imageCommand]).toEqual(['.', 'serve', 'serve']);
  expect(dockerfile).toContain('ENTRYPOINT ["kadmit"]');
});

test('the image has one release of Node, the one of the webhooks, and no root', () => {
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(new Set(images)).toEqual(new Set([hooks.image]));
  expect(dockerfile).toMatch(/^USER node$/m);
});

test('the image serves with the flags of compose but for the webhooks', () => {
  expect({ ...imageConfig, map: [] }).toEqual({ ...config, map: [] });
});

test('every volume has an existing source', () => {
  const sources = [...kadmit.volumes, ...hooks.volumes].map((volume) => volume.split(':')[0] ?? '');
  const named = Object.keys(compose.volumes);
  expect(
    sources.filter((source) => !named.includes(source) && !(source.startsWith('.') && existsSync(source))),
  ).toEqual([]);
  expect(
    named.filter((name) => !sources.includes(name)),
    'volumes that no service uses',
  ).toEqual([]);
});

test('kadmit keeps its files in a volume', () => {
  expect(kadmit.volumes).toEqual([`state:${config.certDir}`]);
  expect(config.writeKubeconfig).toMatch(new RegExp(`^${config.certDir}/`));
  expect(dockerfile).toContain(`WORKDIR ${config.certDir}\n`);
});

test('the server can be reached under its name, from the other container and from this machine', () => {
  expect(config.bindAddress).toBe('0.0.0.0');
  expect(kadmit.ports).toEqual([`127.0.0.1:${config.securePort}:${config.securePort}`]);
  expect(servingNames(config)).toEqual(expect.arrayContaining(['kadmit', 'localhost', '127.0.0.1']));
});

test('the health check requests readiness and trusts the CA of the server', () => {
  const check = /^HEALTHCHECK .*\\\n\s+CMD (.*)$/m.exec(dockerfile)?.[1] ?? '';
  expect(check).toContain(`https://localhost:${config.securePort}/readyz`);
  expect(check).toContain(`NODE_EXTRA_CA_CERTS=${config.certDir}/ca.crt `);
});

test('the webhooks run from the folder of the scenario', () => {
  const [program, file = ''] = hooks.command;
  expect(program).toBe('node');
  const [source = '', target] = (hooks.volumes[0] ?? '').split(':');
  expect(target).toBe(hooks.working_dir);
  expect(existsSync(normalize(join(source, file)))).toBe(true);
});

test('the Service of the configurations is mapped to where the webhooks listen', () => {
  const [mapping, ...more] = config.map;
  expect(more).toEqual([]);
  const { hostname, port, protocol } = new URL(mapping?.url ?? '');
  expect({ hostname, protocol }).toEqual({ hostname: 'hooks', protocol: 'http:' });
  expect(script).toContain(`process.env.PORT ?? ${port}`);
  expect(script).toContain('process.env.LISTEN_ADDRESS');
  expect(hooks.environment).toEqual({ LISTEN_ADDRESS: '0.0.0.0' });
  const configurations = readFileSync('scenarios/getting-started/configurations.yaml', 'utf8');
  const services = [...configurations.matchAll(/service: \{ namespace: (\S+), name: (\S+),/g)];
  expect(new Set(services.map(([, namespace, name]) => `${namespace}/${name}`))).toEqual(new Set([mapping?.from]));
});

test('the comment names files and addresses that are right', () => {
  const comment = readFileSync('docker-compose.yml', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .join('\n');
  expect(comment).toContain(`cat ${config.writeKubeconfig} `);
  expect(comment).toContain(`--server https://127.0.0.1:${config.securePort} `);
  const paths = [...comment.matchAll(/scenarios\/[\w./-]+\w/g)].map(([path]) => path);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  expect(paths).not.toEqual([]);
});
