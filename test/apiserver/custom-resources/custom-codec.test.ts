import { expect, test } from 'vitest';
import { asList, asObject, type JsonValue, valueAt } from '../../../src/machinery/json/json.ts';
import * as engine from '../../../src/api/crd/engine.ts';
import { createCustomCodec } from '../../../src/apiserver/custom-resources/custom-codec.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';
import { converted } from './widgets.ts';

const status = { acceptedNames: { kind: 'Widget', plural: 'widgets' } };
const head = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const definition = { ...converted(), ...head, status };
const [first] = asList(valueAt(definition, 'spec', 'versions'));
const custom = { definition, version: asObject(first), engine };

// Source: apiserver pkg/registry/generic/registry/dryrun.go copyInto; a real kube-apiserver 1.36.2.
test.each([
  [undefined, undefined],
  [{ dryRun: false }, undefined],
  [{ dryRun: true }, '7'],
])('stored with %o, a converter is shown the resourceVersion %s', async (options, number) => {
  const seen: (JsonValue | undefined)[] = [];
  const codec = createCustomCodec(custom, recordedRelease.codec, {
    converter: async (object, to) => {
      seen.push(valueAt(object, 'metadata', 'resourceVersion'));
      return { outcome: 'converted', object: { ...object, apiVersion: to } };
    },
  });
  const object = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'x', resourceVersion: '7' } };
  await codec.toStorage(object, { group: 'example.com', version: 'v1', kind: 'Widget' }, options);
  expect(seen).toEqual([number]);
});

// Source: apiextensions-apiserver pkg/apiserver/conversion/converter.go ConvertToVersion; a real kube-apiserver 1.36.2.
test.each([
  ['v7', '/v7, Kind=Widget is unstructured and is not suitable for converting to "example.com/v1"'],
  ['other.io/v1', 'other.io/v1, Kind=Widget is unstructured and is not suitable for converting to "example.com/v1"'],
  ['example.com/v7', 'request to convert CR from an invalid group/version: example.com/v7'],
])('an object that says %s is not converted', async (apiVersion, error) => {
  const codec = createCustomCodec(custom, recordedRelease.codec, {
    converter: async (object) => ({ outcome: 'converted', object }),
  });
  const to = { group: 'example.com', version: 'v1', kind: 'Widget' };
  expect(await codec.convert({ apiVersion, kind: 'Widget', metadata: { name: 'x' } }, to)).toMatchObject({ error });
});
