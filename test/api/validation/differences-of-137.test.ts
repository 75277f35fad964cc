import { afterAll, beforeAll, expect, test } from 'vitest';
import { asList, asObject, asString, type JsonObject } from '../../../src/machinery/json/json.ts';
import { createWorld, type World } from '../../../src/app/library/create-world.ts';

interface Case {
  readonly path: string;
  readonly create: JsonObject;
  /** A merge patch of what was created; without one the create is refused. */
  readonly patch?: JsonObject;
  readonly subresource?: string;
  readonly in137: readonly string[];
  readonly in136: readonly string[];
}

const coreV1 = '/api/v1/namespaces/default';
const noVersion = { name: 'o', uid: 'u', kind: 'K' };
const disruption = (conditions: readonly JsonObject[]): Omit<Case, 'in137' | 'in136'> => ({
  path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  create: { spec: { minAvailable: 1 } },
  subresource: 'status',
  patch: { status: { conditions } },
});
const condition = { type: 'A', status: 'True', reason: 'R', lastTransitionTime: '2026-01-01T00:00:00Z', message: '' };
const namePart =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const cases: Readonly<Record<string, Case>> = {
  // apimachinery pkg/api/validation/objectmeta.go validateOwnerReference of both releases.
  'an owner without anything, after one that is named': {
    path: `${coreV1}/configmaps`,
    create: {
      metadata: {
        ownerReferences: [
          { ...noVersion, apiVersion: 'v1' },
          { apiVersion: '', kind: '', name: '', uid: '' },
        ],
      },
    },
    in137: ['apiVersion', 'kind', 'name', 'uid'].map(
      (field) => `metadata.ownerReferences[1].${field}: Required value: must not be empty`,
    ),
    in136: [
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      ...['kind', 'name', 'uid'].map(
        (field) => `metadata.ownerReferences.${field}: Invalid value: "": must not be empty`,
      ),
    ],
  },
  'an owner of a version with two slashes, and an event': {
    path: `${coreV1}/configmaps`,
    create: {
      metadata: {
        ownerReferences: [
          { ...noVersion, apiVersion: 'a/b/c' },
          { ...noVersion, apiVersion: 'v1', kind: 'Event' },
        ],
      },
    },
    in137: [
      'metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>',
      'metadata.ownerReferences[1]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"o","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
    in136: [
      'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"o","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
  },
  // apimachinery pkg/apis/meta/v1/validation/validation.go ValidateConditions of both releases.
  'a condition twice': {
    ...disruption([condition, condition]),
    in137: ['status.conditions[1]: Duplicate value: "A"'],
    in136: ['status.conditions[1].type: Duplicate value: "A"'],
  },
  'a condition without type and status': {
    ...disruption([{ ...condition, type: '', status: '' }]),
    in137: ['status.conditions[0].type: Required value: is required', 'status.conditions[0].status: Required value'],
    in136: [
      'status.conditions[0].type: Invalid value: "": name part must be non-empty',
      `status.conditions[0].type: Invalid value: "": ${namePart}`,
      'status.conditions[0].status: Unsupported value: "": supported values: "False", "True", "Unknown"',
    ],
  },
};

const worlds = new Map<string, World>();

beforeAll(async () => {
  for (const kubernetesVersion of ['1.36', '1.37']) {
    worlds.set(kubernetesVersion, await createWorld({ controllers: [], kubernetesVersion }));
  }
});

afterAll(async () => {
  await Promise.all([...worlds.values()].map((world) => world.close()));
});

/** The causes of the last answer, as a client reads them; none of an accepted request. */
async function causes(version: string, name: string, row: Case): Promise<readonly string[]> {
  const world = worlds.get(version);
  if (!world) throw new Error(`no world of ${version}`);
  const { path, create, patch, subresource } = row;
  const metadata = { name, ...asObject(create['metadata']) };
  const created = await world.client.request({ method: 'POST', path, body: { ...create, metadata } });
  if (!patch) return causesIn(created.body);
  expect(created.body['message']).toBeUndefined();
  const { body } = await world.client.request({
    method: 'PATCH',
    path: [path, asString(metadata.name), ...(subresource === undefined ? [] : [subresource])].join('/'),
    body: patch,
    contentType: 'application/merge-patch+json',
  });
  return causesIn(body);
}

const causesIn = (body: JsonObject): readonly string[] => {
  const found = asList(asObject(body['details'])['causes']).map((cause) => {
    const { field, message } = asObject(cause);
    return `${asString(field)}: ${asString(message)}`;
  });
  return found.length === 0 && body['kind'] === 'Status' ? [asString(body['message'])] : found;
};

test.each(Object.entries(cases).map(([name, row], index) => ({ name, row, index })))(
  '$name',
  async ({ row, index }) => {
    expect(await causes('1.37', `a${index}`, row)).toEqual(row.in137);
    expect(await causes('1.36', `a${index}`, row)).toEqual(row.in136);
  },
);
