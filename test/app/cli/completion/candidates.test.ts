import { expect, test } from 'vitest';
import { loadCommands } from '../../../../src/app/cli/run.ts';
import { candidates, type FetchNames } from '../../../../src/app/cli/completion/candidates.ts';
import { scripts } from '../../../../src/app/cli/completion/completion.ts';

const named: Record<Parameters<FetchNames>[0], readonly string[]> = {
  resources: ['pods', 'deployments'],
  objects: ['last', 'pod/web'],
  requests: ['last', 'some-id'],
  namespaces: ['default', 'kube-system'],
  webhooks: ['a.x.io', 'b.x.io'],
  mapped: ['shop/hooks'],
};
const namesOf: FetchNames = (of) => Promise.resolve(named[of].map((word) => ({ word, help: '' })));

const rows: readonly [line: string, found: readonly string[] | 'files' | 'folders'][] = [
  ['do', ['doctor']],
  ['nothing', []],
  ['help ch', ['chain']],
  ['explain p', ['pod/web']],
  ['explain pod/web ', []],
  ['explain -n kube', ['kube-system']],
  ['explain --namespace=kube', ['kube-system']],
  ['explain --namespace default p', ['pod/web']],
  ['explain --all p', ['pod/web']],
  ['explain --trace-dir ', 'folders'],
  ['explain -f ', 'files'],
  ['explain -o ', ['text', 'json', 'yaml', 'sarif']],
  ['explain --output=j', ['json']],
  ['explain --bl', ['--blame']],
  ['explain --he', ['--help']],
  ['explain --nope=x', []],
  ['chain po', ['pods']],
  ['chain pods ', []],
  ['requests --webhook b', ['b.x.io']],
  ['requests --resource de', ['deployments']],
  ['map --remove s', ['shop/hooks']],
  ['replay some', ['some-id']],
  ['diff --aud', ['--audit-log']],
  ['diff --takes', ['--takes']],
  ['diff --audit-log ', 'files'],
  ['record --ou', ['--out', '--output']],
  ['order -f ', 'files'],
  ['test ', 'files'],
  ['test one.yaml ', 'files'],
  ['trace o', ['open']],
  ['trace open ', 'files'],
  ['completion z', ['zsh']],
  ['run --as-service-account a/b -- ./ho', 'files'],
  ['constructor ', []],
  ['explain --constructor ', ['last', 'pod/web']],
];

const commands = await loadCommands();

test.each(rows)('kadmit %s', async (line, found) => {
  const answer = await candidates(line.split(' '), commands, namesOf);
  expect(answer.type === 'words' ? answer.words.map(({ word }) => word) : answer.type).toEqual(found);
});

test('every script calls the program that it completes', () => {
  for (const script of Object.values(scripts)) expect(script).toMatch(/completion of -- /);
});
