import type { PlaygroundAnswer } from '../../../src/app/playground/protocol.ts';

/** The answer to a step that was admitted, with what a test is about. */
export const someAnswer = (over: Partial<PlaygroundAnswer> = {}): PlaygroundAnswer => ({
  title: 'create pods web in default',
  from: 0,
  code: 201,
  printed: 'pod/web created',
  failures: [],
  trace: undefined,
  object: undefined,
  duration: 0,
  ...over,
});
