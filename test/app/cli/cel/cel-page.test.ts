import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { celCommand } from '../../../../src/app/cli/cel/cel.ts';
import { readYamlBody } from '../../../../src/adapters/http/body-formats.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

// Everything that docs/reference/cel.md says `kadmit cel` prints, it prints.
const page = readFileSync('docs/reference/cel.md', 'utf8');
const folder = temporaryFolder();

writeFileSync(join(folder, 'pod.yaml'), /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '');
writeFileSync(join(folder, 'widget.yaml'), 'apiVersion: example.com/v1\nspec: {tags: [red, green]}\n');
writeFileSync(
  join(folder, 'crd.yaml'),
  JSON.stringify({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { tags: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 20 } } },
      },
    },
  }),
);

const played = [...page.matchAll(/```console\n\$ kadmit cel "(.*?)"(.*?)\n(.*?)\n```/gs)].map(
  ([, expression = '', flags = '', printed = '']) => ({ expression, flags, printed }),
);

test('the page has examples', () => {
  expect(played.length).toBeGreaterThan(4);
});

test.each(played)('kadmit cel $expression $flags', async ({ expression, flags, printed }) => {
  const lines: string[] = [];
  const io = { out: (text: string) => void lines.push(text), error: (text: string) => void lines.push(text) };
  const args = flags.split(' ').filter((arg) => arg !== '');
  const paths = args.map((arg) => (arg.endsWith('.yaml') ? join(folder, arg) : arg));
  await celCommand.run([expression, ...paths], io, { readYaml: readYamlBody });
  expect(lines.join('\n')).toBe(printed);
});
