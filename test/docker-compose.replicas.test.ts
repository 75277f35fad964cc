import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { servingNames } from '../src/adapters/certificates/serving-names.ts';
import { parseFlags } from '../src/adapters/config/flags/flags.ts';
import { serveFlags } from '../src/adapters/config/flags/serve/serve-options.ts';
import type { ServerConfig } from '../src/adapters/config/server-config.ts';

// There is no container engine where the tests run, so every path, port, name and flag of the file is compared with the code.

interface Service {
  readonly image: string;
  readonly working_dir?: string;
  readonly command: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: { readonly NAME: string };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

const file = readFileSync('docker-compose.replicas.yml', 'utf8');
const compose: { readonly services: Readonly<Record<string, Service>>; readonly volumes: object } = parse(file, {
  merge: true,
});
const { etcd, balancer, ...others } = compose.services;
const replicas = Object.entries(others).filter(([name]) => name !== 'build');

const configs = replicas.map(([name, { command, environment }]): readonly [string, ServerConfig] => {
  const line = (command.at(-1) ?? '')
    .replace('exec node dist/main.js serve ', '')
    .replaceAll('$$NAME', environment?.NAME ?? '');
  const parsed = parseFlags(serveFlags, line.split(/\s+/));
  if (parsed.outcome !== 'parsed' || parsed.rest.length > 0) throw new Error(JSON.stringify(parsed));
  return [name, parsed.options];
});

test('there are three kadmits, each with its own kubeconfig, all on one etcd and with the same keys', () => {
  expect(configs.map(([name]) => name)).toEqual(['one', 'two', 'three']);
  for (const [name, config] of configs) {
    expect(config.writeKubeconfig).toBe(`${config.certDir}/${name}.kubeconfig`);
    expect(compose.services[name]?.volumes).toContain(`state:${config.certDir}`);
    expect(config.etcdServers).toEqual(['http://etcd:2379']);
    expect(servingNames(config)).toEqual(expect.arrayContaining(['kadmit', '127.0.0.1']));
    expect(config.bindAddress).toBe('0.0.0.0');
    // The leader runs all of them.
    expect(config.controllers).toEqual(['*']);
  }
});

test('etcd listens where they connect to it', () => {
  expect(etcd?.command).toContain('--listen-client-urls=http://0.0.0.0:2379');
});

test('the balancer forwards to the three, and only its port is published', () => {
  const text = balancer?.command.join(' ') ?? '';
  for (const [name, { securePort }] of configs) expect(text).toContain(`server ${name}:${securePort};`);
  expect(balancer?.ports).toEqual(['127.0.0.1:6443:6443']);
  expect(text).toContain('listen 6443;');
});

test('dependencies are existing services, and every volume is used', () => {
  for (const { depends_on: waited = {} } of Object.values(compose.services)) {
    expect(Object.keys(waited).filter((name) => !(name in compose.services))).toEqual([]);
  }
  const sources = Object.values(compose.services).flatMap(({ volumes = [] }) =>
    volumes.map((one) => one.split(':')[0] ?? ''),
  );
  const named = Object.keys(compose.volumes);
  expect(sources.filter((one) => !named.includes(one) && !(one.startsWith('.') && existsSync(one)))).toEqual([]);
  expect(named.filter((one) => !sources.includes(one))).toEqual([]);
});

test('the health check asks each for readiness and trusts the CA', () => {
  for (const [name, config] of configs) {
    const check = compose.services[name]?.healthcheck?.test.at(-1) ?? '';
    expect(check).toContain(`https://${config.externalHostname}:${config.securePort}/readyz`);
    expect(check).toContain(`NODE_EXTRA_CA_CERTS=${config.certDir}/ca.crt `);
  }
});
