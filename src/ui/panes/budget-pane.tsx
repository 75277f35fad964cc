import { budgetSentence, type TimeBudget } from '../../explain/render/chain-words.ts';
import type { BudgetedCall, RequestBudget } from '../../explain/trace/request-budget.ts';
import type { ChainSource } from '../page-source.ts';
import { useLoaded, useReload } from '../use-loaded.ts';
import { plural } from '../words.ts';
import { PaneBar } from './pane-bar.tsx';

export interface BudgetPaneProps {
  readonly chain: ChainSource;
  /** Changes with every write to a configuration. */
  readonly version: number;
}

/** The time of each kind of request if all its webhooks hang, the worst first. */
export function BudgetPane({ chain, version }: BudgetPaneProps) {
  const loaded = useLoaded(chain.budgets);
  useReload(version, loaded.again);
  return (
    <main class="view">
      <PaneBar
        title="Budget"
        about="The time that the configured webhooks take for each kind of request if none of them responds. Webhooks whose selectors exclude each other are not added up."
        loaded={loaded}
        waiting="Adding up …"
        isLive
      />
      {loaded.value?.length === 0 && <p class="empty">No webhook matches any request.</p>}
      {loaded.value?.map((budget) => (
        <Budget key={budget.requests.join()} budget={budget} />
      ))}
    </main>
  );
}

function Budget({ budget }: { readonly budget: RequestBudget }) {
  const { requests, calls, validating, slowestValidator, worstCase, limit } = budget;
  const [first = '', ...others] = requests;
  const isOver = worstCase > limit;
  return (
    <details class={`card tone-${isOver ? 'bad' : 'good'}`} open={isOver}>
      <summary>
        <span class="card-name">{first}</span>{' '}
        <span class="badge">
          {worstCase} s of {limit} s
        </span>{' '}
        {others.length > 0 && (
          <span class="quiet" title={others.join(', ')}>
            and {others.length > 2 ? plural(others.length, 'other kind') : others.join(', ')}
          </span>
        )}
      </summary>
      <TimeMeter budget={budget} />
      <table aria-label={`Calls of ${first}`}>
        <thead>
          <tr>
            <th scope="col">Webhook</th>
            <th scope="col">May take</th>
            <th scope="col">If all calls before it hang</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <Call key={`${call.configuration}/${call.webhook} ${call.round}`} call={call} />
          ))}
          {validating > 0 && (
            <tr>
              <th scope="row">validating, all at the same time; the slowest is {slowestValidator}</th>
              <td>{validating} s</td>
              <td />
            </tr>
          )}
        </tbody>
      </table>
    </details>
  );
}

function Call({
  call: { webhook, configuration, seconds, round, failurePolicy, left },
}: {
  readonly call: BudgetedCall;
}) {
  const when = left === 0 ? 'it is not called' : left < seconds ? `only ${left} s are left` : `${left} s are left`;
  return (
    <tr>
      <th scope="row">
        {webhook}
        {round === 1 && ' again'}{' '}
        <span class="quiet">
          {configuration}, fails {failurePolicy === 'Fail' ? 'closed' : 'open'}
        </span>
      </th>
      <td>{seconds} s</td>
      <td>
        <span class={left < seconds ? 'warning' : 'quiet'}>{when}</span>
      </td>
    </tr>
  );
}

/** The share of webhooks in the time of a request, as a bar and as text. */
export const TimeMeter = ({ budget }: { readonly budget: TimeBudget }) => {
  const { mutating, secondRound, validating, worstCase, limit } = budget;
  const scale = Math.max(worstCase, limit);
  const share = (seconds: number) => ({ width: `${(100 * seconds) / scale}%` });
  return (
    <div class="time-meter">
      <div class="time-track" aria-hidden="true">
        <span class="is-mutating" style={share(mutating)} />
        <span class="is-again" style={share(secondRound)} />
        <span class="is-validating" style={share(validating)} />
        <span class={limit * 2 > scale ? 'bound is-last' : 'bound'} style={{ left: `${(100 * limit) / scale}%` }}>
          {limit} s
        </span>
      </div>
      <p class={worstCase > limit ? 'warning' : 'quiet'}>{budgetSentence(budget)}</p>
    </div>
  );
};
