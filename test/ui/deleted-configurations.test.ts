import { expect, test } from 'vitest';
import { isDeleted } from '../../src/ui/deleted-configurations.ts';

type Change = Parameters<typeof isDeleted>[1][number];

const webhook = { phase: 'mutating', configuration: 'a' } as const;
const change = (what: Change['change'], resource = 'mutatingwebhookconfigurations', name = 'a'): Change => ({
  resource,
  name,
  change: what,
});

const rows: readonly [fact: string, changes: readonly Change[], expected: boolean][] = [
  ['nothing is recorded of it', [], false],
  ['deleted', [change('created'), change('deleted')], true],
  ['deleted, and created again', [change('deleted'), change('created')], false],
  ['another one was deleted', [change('deleted', 'mutatingwebhookconfigurations', 'b')], false],
  ['the validating one of that name was deleted', [change('deleted', 'validatingwebhookconfigurations')], false],
];

test.each(rows)('%s', (_fact, changes, expected) => {
  expect(isDeleted(webhook, changes)).toBe(expected);
});
