import { expect, test } from 'vitest';
import { isDeletedConfiguration } from '../../src/ui/deleted-configurations.ts';

type Change = Parameters<typeof isDeletedConfiguration>[1][number];

const webhook = { phase: 'mutating', configuration: 'a', name: 'a.example.com' } as const;
const withWebhook = (...names: readonly string[]) => ({ webhooks: names.map((name) => ({ name })) });
const change = (
  what: Change['change'],
  resource = 'mutatingwebhookconfigurations',
  name = 'a',
  after: Change['after'] = withWebhook(webhook.name),
): Change => ({
  resource,
  name,
  change: what,
  after: what === 'deleted' ? null : after,
});

const rows: readonly [fact: string, changes: readonly Change[], expected: boolean][] = [
  ['nothing is recorded of it', [], false],
  ['deleted', [change('created'), change('deleted')], true],
  ['deleted, and created again', [change('deleted'), change('created')], false],
  [
    'stored without it',
    [change('created'), change('changed', undefined, undefined, withWebhook('b.example.com'))],
    true,
  ],
  [
    'stored without it, and with it again',
    [change('changed', undefined, undefined, withWebhook()), change('changed')],
    false,
  ],
  ['another one was deleted', [change('deleted', 'mutatingwebhookconfigurations', 'b')], false],
  ['the validating one of that name was deleted', [change('deleted', 'validatingwebhookconfigurations')], false],
];

test.each(rows)('%s', (_fact, changes, expected) => {
  expect(isDeletedConfiguration(webhook, changes)).toBe(expected);
});
