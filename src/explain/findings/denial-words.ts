import { asObject, asString } from '../../machinery/json/json.ts';
import type { TracedDecision } from '../trace/trace.ts';

/** What a plugin, policy or webhook that denies says itself, without the words that kube-apiserver puts before it. */
export function denialWords(decision: TracedDecision): string {
  switch (decision.type) {
    case 'webhook': {
      const { message, reason } = asObject(asObject(asObject(decision.answer)['response'])['status']);
      return asString(message) || asString(reason);
    }
    case 'policy':
      return withoutPrefix(asString(decision.status?.['message']), ' denied request: ');
    case 'plugin':
      return withoutPrefix(decision.message ?? '', ' is forbidden: ');
  }
}

function withoutPrefix(whole: string, prefix: string): string {
  const at = whole.indexOf(prefix);
  return at < 0 ? whole : whole.slice(at + prefix.length);
}
