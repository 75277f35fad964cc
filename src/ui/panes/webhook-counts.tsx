import type { TraceSummary } from '../../explain/trace/trace-summary.ts';
import { refusalWords } from '../words.ts';

/** Who refused, how many failed, were called and were passed over; of what no webhook refused, the message. */
export function WebhookCounts({ summary }: { readonly summary: TraceSummary }) {
  const { denied, failed, skipped, assumed = [] } = summary.webhooks;
  const called = summary.webhooks.called.filter((name) => !assumed.includes(name));
  // A failure that ended the request, not one that let it pass.
  const isFatal = summary.verdict === 'refused' && denied.length === 0;
  const isRefusedElsewhere = summary.verdict === 'refused' && denied.length + failed.length === 0;
  return (
    <>
      <Names names={denied} kind="is-bad" text={`denied by ${named(denied)}`} />
      <Names names={failed} kind={isFatal ? 'is-bad' : 'is-warning'} text={`${named(failed)} failed`} />
      {isRefusedElsewhere && <span class="is-bad">{refusalWords(summary.message)}</span>}
      <Names names={assumed} kind="is-warning" text={`${assumed.length} assumed`} />
      <Names names={called} kind="" text={`${called.length} called`} />
      <Names names={skipped} kind="quiet" text={`${skipped.length} skipped`} />
    </>
  );
}

/** `a.example.com`, `a.example.com and 2 more`: who it is has to be in sight. */
const named = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;

interface NamesProps {
  readonly names: readonly string[];
  readonly kind: string;
  readonly text: string;
}

const Names = ({ names, kind, text }: NamesProps) =>
  names.length === 0 ? null : (
    <span class={kind} title={names.join('\n')}>
      {text}
    </span>
  );
