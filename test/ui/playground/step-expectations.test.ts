import { expect, test } from 'vitest';
import { listItems } from '../../../src/ui/playground/list-items.ts';
import { withExpectations } from '../../../src/ui/playground/step-expectations.ts';
import { someTrace } from '../some-trace.ts';
import { someAnswer } from './some-answer.ts';

const refused = (message: string) =>
  someAnswer({ code: 403, trace: someTrace({ response: { code: 403, status: { message }, warnings: [] } }) });

/** Each step with its answer. */
const expecting = (requests: string, ...answers: readonly ReturnType<typeof someAnswer>[]): string => {
  const items = listItems(requests);
  return withExpectations(
    requests,
    answers.map((answer, at) => ({ ...answer, from: (items[at]?.from ?? 0) + 2 })),
  );
};

test.each<[string, string, readonly ReturnType<typeof someAnswer>[], string]>([
  ['block style', '- create:\n    kind: Pod\n', [someAnswer()], '- create:\n    kind: Pod\n  expect: admitted\n'],
  ['a dash of its own', '-\n  delete: pod/web', [someAnswer()], '-\n  delete: pod/web\n  expect: admitted'],
  ['an indented list', '  - delete: pod/web', [someAnswer()], '  - delete: pod/web\n    expect: admitted'],
  ['flow style', '- { delete: pod/web }', [someAnswer()], '- { delete: pod/web, expect: admitted }'],
  [
    'a refusal',
    '- delete: pod/web',
    [refused('no: "never"')],
    '- delete: pod/web\n  expect: { code: 403, message: "no: \\"never\\"" }',
  ],
  [
    'a message that would be a pattern',
    '- delete: pod/web',
    [refused('/x/')],
    '- delete: pod/web\n  expect: { code: 403, message: { contains: "/x/" } }',
  ],
  [
    'a refusal without a message',
    '- delete: pod/web',
    [someAnswer({ code: 404 })],
    '- delete: pod/web\n  expect: { code: 404 }',
  ],
  [
    'an expectation of its own',
    '- delete: pod/web\n  expect: refused',
    [someAnswer()],
    '- delete: pod/web\n  expect: refused',
  ],
  [
    'rows',
    '- create: { kind: Pod }\n  denied: [{ a: b }]',
    [someAnswer()],
    '- create: { kind: Pod }\n  denied: [{ a: b }]',
  ],
  ['a step that writes nothing', '- advance: 30s', [someAnswer()], '- advance: 30s'],
  [
    'a field of the object with that name',
    '- create:\n    expect: x',
    [someAnswer()],
    '- create:\n    expect: x\n  expect: admitted',
  ],
  ['a step that did not run', '- delete: pod/web', [], '- delete: pod/web'],
  [
    'several steps and comments',
    '# one\n- delete: pod/a\n\n# two\n- delete: pod/b # really\n',
    [someAnswer(), refused('no')],
    '# one\n- delete: pod/a\n  expect: admitted\n\n# two\n- delete: pod/b # really\n  expect: { code: 403, message: "no" }\n',
  ],
])('%s', (_, requests, answers, result) => {
  expect(expecting(requests, ...answers)).toBe(result);
});
