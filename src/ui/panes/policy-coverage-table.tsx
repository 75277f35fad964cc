import { branchWords } from '../../explain/trace/expression-coverage.ts';
import type { PolicyCoverage } from '../../explain/trace/policy-coverage.ts';
import { countsText, Expression, skipWords } from './coverage-parts.tsx';

/** Which policies, conditions, variables and validations the requests have exercised. */
export const PolicyTable = ({ policies }: { readonly policies: readonly PolicyCoverage[] }) => (
  <table class="coverage" aria-label="Policies">
    <thead>
      <tr>
        <th scope="col">Policy</th>
        <th scope="col">Considered</th>
        <th scope="col">Came of it</th>
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
  const branches = isUnused ? undefined : branchWords([...conditions, ...variables, ...validations]);
  return (
    <tr class={isUnused ? 'is-unused' : ''}>
      <th scope="row">
        {name} <span class="quiet">{phase}</span>
      </th>
      <td data-label="Considered">{considered.toLocaleString('en')}</td>
      <td data-label="Came of it">
        {isUnused && <span class="is-warning">never evaluated{considered > 0 && ' · '}</span>}
        {countsText(outcomes)}
        {outcomes.skipped > 0 && <div class="quiet">skipped: {countsText(skippedBecause, skipWords)}</div>}
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
