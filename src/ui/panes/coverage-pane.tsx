import type { WebhookCoverage } from '../../explain/trace/coverage.ts';
import { branchText, type ExpressionCoverage } from '../../explain/trace/expression-coverage.ts';
import type { PolicyCoverage } from '../../explain/trace/policy-coverage.ts';
import { isDeletedConfiguration } from '../deleted-configurations.ts';
import type { PageSource } from '../page-source.ts';
import { useLoaded } from '../use-loaded.ts';
import { plural } from '../words.ts';
import { PaneBar } from './pane-bar.tsx';

export function CoveragePane({ source }: { readonly source: PageSource }) {
  const loaded = useLoaded(source.coverage);
  const changes = useLoaded(source.configurations).value ?? [];
  const { webhooks, policies } = loaded.value ?? {};
  return (
    <main class="view">
      <PaneBar
        title="Coverage"
        about="Rules, conditions and expressions that recorded requests used since the last change of each webhook and policy."
        loaded={loaded}
        isLive={source.isLive}
      />
      {webhooks?.length === 0 && policies?.length === 0 && <p class="empty">No webhook or policy is configured.</p>}
      {webhooks !== undefined && webhooks.length > 0 && (
        <table class="coverage" aria-label="Webhooks">
          <thead>
            <tr>
              <th scope="col">Webhook</th>
              <th scope="col">Considered</th>
              <th scope="col">Outcome</th>
              <th scope="col">Rules</th>
              <th scope="col">Conditions</th>
            </tr>
          </thead>
          <tbody>
            {webhooks.map((webhook) => (
              <WebhookRow
                key={`${webhook.phase}/${webhook.configuration}/${webhook.name}`}
                webhook={webhook}
                wasDeleted={isDeletedConfiguration(webhook, changes)}
              />
            ))}
          </tbody>
        </table>
      )}
      {policies !== undefined && policies.length > 0 && <PolicyTable policies={policies} />}
    </main>
  );
}

interface WebhookRowProps {
  readonly webhook: WebhookCoverage;
  readonly wasDeleted: boolean;
}

function WebhookRow({ webhook, wasDeleted }: WebhookRowProps) {
  const { phase, configuration, name, considered, outcomes, skippedBecause, rules, conditions } = webhook;
  const isUnused = considered === outcomes.skipped + outcomes.assumed;
  return (
    <tr class={isUnused ? 'is-unused' : ''}>
      <th scope="row">
        {name}
        <span class="quiet">
          {' '}
          {phase} · {configuration}
          {wasDeleted && ', deleted since'}
        </span>
      </th>
      <td data-label="Considered">{considered.toLocaleString('en')}</td>
      <td data-label="Outcome">
        {isUnused && <span class="is-warning">never called{considered > 0 && ' · '}</span>}
        {countsText(outcomes)}
        {outcomes.skipped > 0 && <div class="quiet">skipped: {countsText(skippedBecause, skipText)}</div>}
      </td>
      <td>
        <ul class="ticks">
          {rules.map(({ rule, matched }) => (
            <li key={rule}>
              <Tick is={matched > 0} /> {rule} <span class="quiet">{matched.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
      </td>
      <td>
        <ul class="ticks">
          {conditions.map((condition) => (
            <Expression key={condition.name} expression={condition} />
          ))}
        </ul>
      </td>
    </tr>
  );
}

const PolicyTable = ({ policies }: { readonly policies: readonly PolicyCoverage[] }) => (
  <table class="coverage" aria-label="Policies">
    <thead>
      <tr>
        <th scope="col">Policy</th>
        <th scope="col">Considered</th>
        <th scope="col">Outcome</th>
        <th scope="col">Conditions and variables</th>
        <th scope="col">Validations</th>
      </tr>
    </thead>
    <tbody>
      {policies.map((policy) => (
        <PolicyRow key={`${policy.phase}/${policy.name}`} policy={policy} />
      ))}
    </tbody>
  </table>
);

function PolicyRow({ policy }: { readonly policy: PolicyCoverage }) {
  const { phase, name, considered, outcomes, skippedBecause, conditions, variables, validations } = policy;
  const isUnused = considered === outcomes.skipped;
  const branches = isUnused ? undefined : branchText([...conditions, ...variables, ...validations]);
  return (
    <tr class={isUnused ? 'is-unused' : ''}>
      <th scope="row">
        {name} <span class="quiet">{phase}</span>
      </th>
      <td data-label="Considered">{considered.toLocaleString('en')}</td>
      <td data-label="Outcome">
        {isUnused && <span class="is-warning">never evaluated{considered > 0 && ' · '}</span>}
        {countsText(outcomes)}
        {outcomes.skipped > 0 && <div class="quiet">skipped: {countsText(skippedBecause, skipText)}</div>}
        {branches !== undefined && <div class="quiet">{branches}</div>}
      </td>
      <td>
        <ul class="ticks">
          {[...conditions, ...variables].map((one) => (
            <Expression key={one.name} expression={one} />
          ))}
        </ul>
      </td>
      <td>
        <ul class="ticks">
          {validations.map((one) => (
            <Expression key={one.name} expression={one} />
          ))}
        </ul>
      </td>
    </tr>
  );
}

/** `called 7 · skipped 311`. */
const countsText = (counts: Readonly<Record<string, number>>, words: Readonly<Record<string, string>> = {}): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${words[name] ?? name} ${count.toLocaleString('en')}`)
    .join(' · ');

/** Selectors have their own names. */
const skipText: Readonly<Record<string, string>> = {
  'no-rule-matched': 'no rule matched',
  'not-reinvoked': 'not called again',
  'matchCondition-error': 'a matchCondition failed',
  exempt: 'kind exempt from webhooks',
  'not-bound': 'no binding',
  'no-params': 'no parameter object',
};

/** An expression is exercised when it has been both true and false, and so has each counted branch. */
function Expression({ expression: one }: { readonly expression: ExpressionCoverage }) {
  const { name, expression, evaluated, true: isTrue, false: isFalse, error, parts } = one;
  const isBool = isTrue + isFalse + error > 0 || evaluated === 0;
  // The row shows the whole expression.
  const inner = isBool ? parts.filter(({ role }) => role !== 'result') : parts;
  return (
    <li title={expression}>
      <Tick is={isBool ? isTrue > 0 && isFalse > 0 : evaluated > 0} /> {name}
      <span class="quiet">
        {isBool ? ` true ${isTrue}, false ${isFalse}` : ` used ${evaluated}`}
        {error > 0 && `, ${plural(error, 'error')}`}
      </span>
      {inner.length > 0 && (
        <ul class="ticks">
          {inner.map((part) => (
            <li key={`${part.role} ${part.expression}`}>
              <Tick is={part.true > 0 && part.false > 0} /> <code>{part.expression}</code>
              <span class="quiet">
                {` ${roleText[part.role]}: true ${part.true}, false ${part.false}`}
                {part.error > 0 && `, ${plural(part.error, 'error')}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

const roleText = {
  result: 'whole',
  operand: 'operand',
  condition: 'condition of ?:',
  macro: 'macro',
  element: 'each element',
} as const;

const Tick = ({ is }: { readonly is: boolean }) => (
  <span class={is ? 'tick-yes' : 'tick-no'}>
    <span aria-hidden="true">{is ? '✓' : '○'}</span>
    <span class="visually-hidden">{is ? 'exercised' : 'not exercised'}</span>
  </span>
);
