import { expect, test } from 'vitest';
import { answerData } from '../../src/http/page/page-data.ts';
import { sourcesOf } from '../../src/http/page/page-sources.ts';

test('all who ask for the coverage while it is made are told the same', async () => {
  let made = 0;
  const sources = {
    ...sourcesOf([], []),
    *all() {
      made += 1;
      yield* [];
    },
  };
  const ask = () => answerData(new URL('http://127.0.0.1/kadmit/v1/coverage'), sources);
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(answers.map((answer) => answer?.body)).toEqual(answers.map(() => '{"webhooks":[],"policies":[]}'));
  expect(made).toBe(1);
  await ask();
  expect(made).toBe(2);
});
