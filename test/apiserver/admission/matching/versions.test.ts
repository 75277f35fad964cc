import { expect, test } from 'vitest';
import { toSentView, convertRequest } from '../../../../src/apiserver/admission/matching/versions.ts';
import { builtinCodec, configMap, creating } from '../../../harness/admission.ts';

const kind = { group: 'example.com', version: 'v1', kind: 'Widget' };
const other = { ...configMap(), apiVersion: 'example.com/v1', kind: 'Other' };
const request = creating(other, { kind });
/** That of custom resources leaves an object of the same version as it is. */
const codec = { ...builtinCodec, convert: async (object: typeof other) => ({ outcome: 'converted', object }) as const };

// Source: apiserver pkg/admission/conversion.go ConvertToGVK; a real kube-apiserver 1.36.2.
test('a custom resource sent with a wrong kind is shown with its own', async () => {
  const shown = await convertRequest(request, kind, codec);
  expect(shown).toMatchObject({ outcome: 'converted', view: { object: { kind: 'Widget' } } });
  expect(toSentView(request)).toMatchObject({ kind, view: { object: { ...other, kind: 'Widget' } } });
  expect(request.object?.kind).toBe('Other');
});

// A mutating webhook is shown it by way of a conversion, which then fails.
test('an object of another version than its request is what it says', () => {
  const sent = creating({ ...other, apiVersion: 'apps/v2' }, { kind });
  expect(toSentView(sent)).toEqual({ view: sent, kind: { group: 'apps', version: 'v2', kind: 'Other' } });
  const bare = creating({ ...other, apiVersion: '' }, { kind });
  expect(toSentView(bare).kind).toEqual({ group: '', version: '', kind: 'Other' });
});
