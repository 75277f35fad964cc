import { expect, test } from 'vitest';
import { createBuiltinPlugins } from '../../../../src/apiserver/admission/plugins/builtin-plugins.ts';
import { onlyFor, podResource } from '../../../../src/apiserver/admission/plugins/handled-resource.ts';
import { defaultSettings } from '../../../../src/apiserver/admission/plugins/plugin-settings.ts';
import type { SyncPlugin, Decide, DecideSync } from '../../../../src/apiserver/admission/chain/plugin.ts';
import {
  admissionWorld,
  builtinCatalogue,
  configMap,
  creating as creatingIn,
  noLimits,
} from '../../../harness/admission.ts';
import { clusterOf, creating, object, portsOf } from '../../../harness/builtin-plugin.ts';
import { newForbidden } from '../../../../src/apiserver/admission/chain/refusal.ts';
import { refuse } from '../../../../src/machinery/meta/result.ts';

const phases = [...createBuiltinPlugins(defaultSettings).values()].flatMap((plugin) =>
  (['mutate', 'validate'] as const).flatMap(
    (phase): readonly (readonly [name: string, decide: Decide | DecideSync])[] => {
      const decide = plugin[phase];
      return decide?.only ? [[`${plugin.name} ${phase}`, decide]] : [];
    },
  ),
);

const ports = portsOf(clusterOf({}));
const everything = builtinCatalogue.all().filter(({ subresource }) => subresource === '');

// A plugin that looks at some resources alone is not asked about others: it must have nothing to say to them.
test.each(phases)('%s passes what it does not look at', async (_name, decide) => {
  const looked = new Set(decide.only?.map(({ resource }) => resource));
  for (const { group, version, kind, resource } of everything) {
    if (looked.has(resource)) continue;
    const sent = object(group === '' ? version : `${group}/${version}`, kind.kind, 'one', { spec: {} });
    for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
      const request = { ...creating(sent, resource), operation, oldObject: operation === 'CREATE' ? null : sent };
      expect([resource, operation, await decide(request, ports)]).toEqual([
        resource,
        operation,
        { ok: true, value: { object: sent } },
      ]);
    }
  }
});

test('most plugins say what they look at', () => {
  expect(phases.length).toBeGreaterThan(25);
});

/** Refuses whatever it is asked about. */
const denies: SyncPlugin = {
  name: 'Denies',
  operations: ['CREATE'],
  mutate: onlyFor([podResource], (request) => refuse(newForbidden(request, 'asked'))),
};

test('a plugin is not asked about what it does not look at, and leaves the record of one that passed', async () => {
  const { chain } = admissionWorld({ mutating: [], responses: {}, before: [denies] });
  const request = creatingIn(configMap());
  const { verdict, records } = await chain.mutate(request, noLimits);
  expect([verdict, records]).toEqual([
    { outcome: 'admitted', object: request.object },
    [
      {
        type: 'passed-plugins',
        phase: 'mutating',
        round: 0,
        object: request.object,
        names: ['Denies'],
        times: [expect.any(Number), expect.any(Number)],
      },
    ],
  ]);
});

test('it is asked about the resource that it names, whatever its group', async () => {
  const { chain } = admissionWorld({ mutating: [], responses: {}, before: [denies] });
  const request = { ...creatingIn(configMap()), resource: { group: 'example.com', version: 'v1', resource: 'pods' } };
  expect((await chain.mutate(request, noLimits)).verdict.outcome).toBe('refused');
});
