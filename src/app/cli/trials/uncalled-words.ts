import { isPolicy } from '../../../explain/render/turn-words.ts';

/** `2 of 2 mutating webhooks have no --to and were not called: a/a.example.com, b/b.example.com`. */
export function uncalledWords(uncalled: readonly string[], turns: readonly string[]): string {
  const webhooks = turns.filter((turn) => !isPolicy(turn)).length;
  const verb = uncalled.length === 1 ? 'has no --to and was' : 'have no --to and were';
  return `${uncalled.length} of ${webhooks} mutating ${webhooks === 1 ? 'webhook' : 'webhooks'} ${verb} not called: ${uncalled.join(', ')}`;
}
