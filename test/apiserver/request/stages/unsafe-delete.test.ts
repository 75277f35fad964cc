import { expect, test } from 'vitest';
import { loadRelease } from '../../../../src/api/release/load-release.ts';
import { worldWith } from '../../custom-resources/established.ts';
import { createTestWorld } from '../../../harness/world.ts';
import { definitionOf, schemaOf } from '../../../harness/custom-definition.ts';
import { asObject } from '../../../../src/machinery/json/json.ts';

const option = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const configMaps = '/api/v1/namespaces/default/configmaps';
const refused =
  'Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: unsafe deletion is not allowed because the object is decodable from storage';

// Source: recorded conversation r37-unsafe-delete; apimachinery pkg/apis/meta/v1/validation/validation.go.
test.each([
  ['1.36', `a?${option}=true`, 200, ''],
  ['1.37', `a?${option}=true`, 409, refused],
  ['1.37', `a?${option}=true&dryRun=All`, 409, refused],
  ['1.37', `a?${option}=false`, 200, ''],
  ['1.37', `none?${option}=true`, 404, 'configmaps "none" not found'],
  [
    '1.37',
    `a?${option}=true&gracePeriodSeconds=1`,
    422,
    `DeleteOptions.meta.k8s.io "" is invalid: ${option}: Invalid value: true: cannot be set together with .gracePeriodSeconds`,
  ],
  [
    '1.37',
    `?${option}=true`,
    422,
    `DeleteOptions.meta.k8s.io "" is invalid: ${option}: Invalid value: true: is not allowed with DELETECOLLECTION, try again after removing the option`,
  ],
])('%s: DELETE %s', async (release, target, code, message) => {
  const world = await createTestWorld({ release: await loadRelease(release) });
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  const deleted = await world.send('DELETE', `${configMaps}${target.startsWith('?') ? '' : '/'}${target}`);
  expect([deleted.code, deleted.message]).toEqual([code, message]);
});

const things = (version: string): string => `/apis/turns.dev/${version}/namespaces/default/things`;
const undecodable =
  'object not decodable revision=0: conversion webhook for turns.dev/v1, Kind=Thing failed: no such converter';
const corrupt = `Internal error occurred: StorageError: corrupt object, Code: 7, Key: /turns.dev/things/default/a, ResourceVersion: 0, AdditionalErrorMsg: ${undecodable}`;
const inconvertible = undecodable.replace('object not decodable revision=0: ', '');

/** Things are stored as v1; their converter cannot be called. */
async function worldOfInconvertible(name: string) {
  const version = schemaOf({ type: 'object' });
  const definition = definitionOf('things.turns.dev', 'Thing', version, { ...version, name: 'v2', storage: false });
  const webhook = { clientConfig: { url: 'https://none.example.com' }, conversionReviewVersions: ['v1'] };
  const spec = { ...asObject(definition['spec']), conversion: { strategy: 'Webhook', webhook } };
  const world = await worldWith(
    { ...definition, spec },
    {
      release: await loadRelease(name),
      wrapCall: () => async () => ({ outcome: 'failed', phase: 'connect', error: 'no such converter' }),
    },
  );
  const thing = { apiVersion: 'turns.dev/v1', kind: 'Thing', metadata: { name: 'a' } };
  expect((await world.send('POST', things('v1'), thing)).code).toBe(201);
  return world;
}

// Source: recorded conversations conversion-fails-* and conversion-broken-webhook-status-and-patch of both releases.
test.each([
  ['1.36', 'GET', inconvertible],
  ['1.36', 'PATCH', inconvertible],
  ['1.36', 'DELETE', inconvertible],
  ['1.37', 'GET', corrupt],
  ['1.37', 'PATCH', undecodable],
  ['1.37', 'DELETE', corrupt],
])('%s: a %s of an object that cannot be converted', async (release, method, message) => {
  const world = await worldOfInconvertible(release);
  const body = method === 'PATCH' ? {} : undefined;
  const answer = await world.send(method, `${things('v2')}/a`, body, { contentType: 'application/merge-patch+json' });
  expect([answer.code, answer.message.replace(/revision=\d+/, 'revision=0')]).toEqual([500, message]);
});

const corruptKey = (name: string): string => `/registry/turns.dev/things/default/${name}`;
const corruptItem = (name: string): string =>
  `StorageError: corrupt object, Code: 7, Key: ${corruptKey(name)}, ResourceVersion: 0, AdditionalErrorMsg: ${undecodable}`;

// Source: apiserver pkg/storage/etcd3/corrupt_obj_deleter.go of 1.37 (#140785).
test('1.37: a list counts the objects that cannot be converted, 1.36 names the first', async () => {
  for (const release of ['1.36', '1.37']) {
    const world = await worldOfInconvertible(release);
    const other = { apiVersion: 'turns.dev/v1', kind: 'Thing', metadata: { name: 'b' } };
    await world.send('POST', things('v1'), other);
    const { code, message, body } = await world.send('GET', things('v2'));
    const text = message.replaceAll(/revision=\d+/g, 'revision=0');
    const counted = `failed to read one or more things.turns.dev from the storage: ${corruptItem('a')} (and 1 more)`;
    expect([code, text]).toEqual([500, release === '1.36' ? inconvertible : counted]);
    if (release === '1.36') continue;
    expect(body).toMatchObject({
      reason: 'StorageReadError',
      details: {
        name: 'list',
        group: 'turns.dev',
        kind: 'things',
        causes: ['a', 'b'].map((name) => ({ reason: 'UnexpectedServerResponse', field: corruptKey(name) })),
      },
    });
  }
});

test('1.37: an unsafe deletion removes it, a dry run of that does not', async () => {
  const world = await worldOfInconvertible('1.37');
  const unsafe = `${things('v2')}/a?${option}=true`;
  expect((await world.send('DELETE', `${unsafe}&dryRun=All`)).code).toBe(200);
  expect((await world.send('GET', `${things('v1')}/a`)).code).toBe(200);
  const { body } = await world.send('DELETE', unsafe);
  expect(body).toMatchObject({ status: 'Success', code: 200, details: { name: 'a', kind: 'Thing' } });
  expect((await world.send('GET', `${things('v1')}/a`)).code).toBe(404);
});
