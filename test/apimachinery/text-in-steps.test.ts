import { expect, test } from 'vitest';
import { textInSteps } from '../../src/apimachinery/text-in-steps.ts';

test.each([
  ['a short text', 'é', 1],
  ['nothing', '', 1],
  ['characters of three bytes', '€'.repeat(500_000), 6],
])('%s is read as it stands', (_what, text, least) => {
  const steps = textInSteps(new TextEncoder().encode(text));
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next();
    if (!done) continue;
    expect(value === text).toBe(true);
    expect(count).toBeGreaterThanOrEqual(least);
    break;
  }
});
