import { expect, test } from 'vitest';
import type { Hold } from '../../src/admission/webhooks/call.ts';
import { holdSentence } from '../../src/trace/sentences.ts';

// Ours: what the explanation says of a request that was held at a webhook.
test.each<readonly [Partial<Hold>, string]>([
  [{}, 'held before the call for 4.0 s, continued by alice'],
  [
    { moment: 'after', ended: 'answered', replaced: {} },
    'held after the call for 4.0 s, answered by alice; its own answer was replaced',
  ],
  [{ ended: 'canceled', by: '' }, 'held before the call for 4.0 s, canceled'],
])('%j', (hold, sentence) => {
  expect(
    holdSentence({ moment: 'before', startedAt: 0, milliseconds: 4000, ended: 'continued', by: 'alice', ...hold }),
  ).toBe(sentence);
});
