import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, describe } from 'vitest';
import { createBuiltinTypes } from '../../../src/api/types/builtin-types.ts';
import { newestTables } from '../../../src/api/release/newest-tables.ts';
import { createReaders } from '../../../src/api/codec/read-type.ts';
import { makeKindTypes } from '../../tools/make-kind-types.ts';
import { toInternalForm } from '../../../src/api/types/internal-form.ts';

const folder = join(process.cwd(), 'src/api/types/generated');
const files = makeKindTypes(newestTables);

// Written anew with `npx vitest run --project unit test/api/types/kind-types.test.ts -u`.
test.each([...files])('src/api/types/generated/%s is made of the tables', async (file, text) => {
  await expect(text).toMatchFileSnapshot(join(folder, file));
});

test('nothing else is in the folder', () => {
  expect(readdirSync(folder).toSorted()).toEqual([...files.keys()].toSorted());
});

// What Go prints for nothing is what the types say may be null.
test('a field is null exactly where the decoder leaves null', () => {
  const readerOf = createReaders(createBuiltinTypes(newestTables.types));
  const differing = [...files].flatMap(([file, text]) =>
    [...text.matchAll(/^export type (\w+) = \{\n(.*?)^\};/gms)].flatMap(([, name = '', body = '']) => {
      const type = `${file.slice(0, -'.ts'.length).replaceAll('-', '.')}.${name}`;
      const printed = Object.entries(zeroOf(type)).filter(([, value]) => value === null);
      const said = [...body.matchAll(/^ {2}readonly (\S+?)\??: .* \| null;$/gm)].map(([, field = '']) =>
        field.replaceAll("'", ''),
      );
      return JSON.stringify(printed.map(([field]) => field).toSorted()) === JSON.stringify(said.toSorted())
        ? []
        : [type];
    }),
  );
  expect(differing).toEqual([]);

  function zeroOf(type: string): object {
    if (type.startsWith('kinds.')) return {};
    const zero = readerOf(type).zero();
    return typeof zero === 'object' && zero !== null ? zero : {};
  }
});

// kube-apiserver v1.36.2 prints these in `Invalid value: {…}: field is immutable`.
describe('a value as Go prints it in a field error', () => {
  test.each([
    ['every field of a struct', 'core.SecretReference', { name: 'n' }, { Name: 'n', Namespace: '' }],
    ['what is absent and may be nil', '*core.SecretReference', undefined, null],
    [
      'a nested list',
      'resource.DeviceClaim',
      { requests: [], config: [{ requests: ['r'] }] },
      { Requests: [], Constraints: null, Config: [{ Requests: ['r'], Opaque: null }] },
    ],
  ])('%s', (_what, type, value, printed) => {
    expect(toInternalForm(type, value)).toEqual(printed);
  });

  test('embedded metadata keeps its JSON names, a pod has its host fields in the security context', () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { hostNetwork: true, containers: [] } };
    expect(toInternalForm('core.PodTemplateSpec', template)).toMatchObject({
      labels: { a: 'b' },
      Spec: { Containers: [], SecurityContext: { HostNetwork: true, HostPID: false, RunAsUser: null } },
    });
  });
});
