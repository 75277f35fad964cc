import { expect, test } from 'vitest';
import { readFragment, toFragment } from '../../../src/ui/playground/fragment.ts';

const texts = {
  release: '1.37',
  compareWith: '1.35',
  objects: 'kind: Namespace # größer als „nichts“ 🛂\n',
  webhooks: '',
  requests: '- delete: pod/web\n',
};

test('texts come back from the fragment, which needs no escaping', async () => {
  const fragment = await toFragment(texts);
  expect(fragment).toMatch(/^s=[\w-]+$/);
  expect(await readFragment(`#${fragment}`)).toEqual({ type: 'texts', texts });
});

test('a fragment is much shorter than its texts', async () => {
  const objects = 'apiVersion: v1\nkind: ConfigMap\n---\n'.repeat(1000);
  expect((await toFragment({ ...texts, objects })).length).toBeLessThan(objects.length / 50);
});

test.each([
  ['', { type: 'none' }],
  ['#', { type: 'none' }],
  ['#example=not-called', { type: 'example', name: 'not-called' }],
  ['#/requests/1', { type: 'unreadable', problem: 'this link is not one of the playground' }],
  ['#s=', { type: 'unreadable', problem: 'this link is cut off or damaged' }],
  ['#s=***', { type: 'unreadable', problem: 'this link is cut off or damaged' }],
  ['#s=abcd', { type: 'unreadable', problem: 'this link is cut off or damaged' }],
])('the fragment %s', async (hash, reading) => {
  expect(await readFragment(hash)).toEqual(reading);
});

test('a link that was cut off is not read in part', async () => {
  const fragment = await toFragment(texts);
  expect(await readFragment(fragment.slice(0, -10))).toMatchObject({ type: 'unreadable' });
});

test('a small link that decompresses to more than 3 MiB is not read', async () => {
  const fragment = await toFragment({ ...texts, objects: ' '.repeat(3 * 1024 * 1024) });
  expect(fragment.length).toBeLessThan(10_000);
  expect(await readFragment(fragment)).toEqual({ type: 'unreadable', problem: 'this link holds more than 3 MiB' });
});

test.each<[string, unknown]>([
  ['another value', []],
  ['a text that is missing', { ...texts, requests: undefined }],
  ['a text of another type', { ...texts, objects: 7 }],
])('JSON of another form is not taken over: %s', async (_, value) => {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = Buffer.from(await new Response(stream).arrayBuffer());
  expect(await readFragment(`s=${bytes.toString('base64url')}`)).toEqual({
    type: 'unreadable',
    problem: 'this link is of another version',
  });
});
