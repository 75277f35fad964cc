import { shortUser } from '../../explain/trace/trace-summary.ts';
import { type FilterSelects as FilterChoices, type Filter, isFiltering, noFilter } from '../filter.ts';
import type { RequestStore } from '../request-store.ts';
import { plural } from '../words.ts';

export interface FilterBarProps {
  readonly filter: Filter;
  readonly choices: FilterChoices;
  readonly store: RequestStore;
  readonly shown: number;
  /** Number of hidden housekeeping writes. */
  readonly fromControllers: number;
  /** Number of requests whose findings are unknown. */
  readonly awaited: number;
  readonly isLive: boolean;
  readonly onFilter: (filter: Filter) => void;
  readonly onLeave: () => void;
}

const verdicts = ['admitted', 'refused', 'webhook denied', 'webhook failed', 'with findings'] as const;

/** Filters and pauses the list. */
export function FilterBar(props: FilterBarProps) {
  const { filter, choices, store, shown, awaited, fromControllers, isLive, onFilter, onLeave } = props;
  const set = (part: Partial<Filter>): void => onFilter({ ...filter, ...part });
  const total = store.shown().length;
  return (
    <search class="filter-bar">
      <input
        id="filter-text"
        type="search"
        placeholder="Filter ( / )"
        aria-label="Filter by words"
        autocomplete="off"
        spellcheck={false}
        value={filter.text}
        onInput={(event) => set({ text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && event.key !== 'Enter') return;
          event.preventDefault();
          if (event.key === 'Escape') set({ text: '' });
          onLeave();
        }}
      />
      <Choices filter={filter} choices={choices} onSet={set} />
      {isFiltering(filter) && (
        <button
          type="button"
          class="plain"
          onClick={() => onFilter({ ...noFilter, withControllers: filter.withControllers })}
        >
          Clear
        </button>
      )}
      <ByControllers filter={filter} count={fromControllers} onSet={set} />
      <span class="spring" />
      <span class="quiet count" role="status">
        {awaited > 0 && `loading ${plural(awaited, 'request')} … `}
        {shown === total ? plural(total, 'request') : `${shown.toLocaleString('en')} of ${plural(total, 'request')}`}
      </span>
      {isLive && <PauseButton store={store} />}
    </search>
  );
}

interface ByControllersProps {
  readonly filter: Filter;
  readonly count: number;
  readonly onSet: (part: Partial<Filter>) => void;
}

const ByControllers = ({ filter, count, onSet }: ByControllersProps) =>
  count === 0 ? null : (
    <label title="Writes of the server's own components for which no webhook was called">
      <input
        type="checkbox"
        checked={filter.withControllers}
        onChange={(event) => onSet({ withControllers: event.currentTarget.checked })}
      />
      {` show ${count.toLocaleString('en')} by controllers`}
    </label>
  );

interface ChoicesProps {
  readonly filter: Filter;
  readonly choices: FilterBarProps['choices'];
  readonly onSet: (part: Partial<Filter>) => void;
}

const Choices = ({ filter, choices, onSet }: ChoicesProps) => (
  <>
    <FilterSelect
      label="Verdict"
      value={filter.verdict}
      options={verdicts}
      onChange={(text) => onSet({ verdict: verdicts.find((one) => one === text) ?? '' })}
    />
    <FilterSelect
      label="Webhook"
      value={filter.webhook}
      options={choices.webhooks}
      onChange={(webhook) => onSet({ webhook })}
    />
    <FilterSelect
      label="Resource"
      value={filter.resource}
      options={choices.resources}
      onChange={(resource) => onSet({ resource })}
    />
    <FilterSelect label="User" value={filter.user} options={choices.users} onChange={(user) => onSet({ user })} />
  </>
);

function PauseButton({ store }: { readonly store: RequestStore }) {
  const paused = store.isPaused();
  return (
    <button
      type="button"
      class={paused ? 'plain is-warning' : 'plain'}
      aria-pressed={paused}
      title="Pause or resume the list (p)"
      onClick={() => store.setPaused(!paused)}
    >
      {paused ? `Resume (${store.waiting().toLocaleString('en')} new)` : 'Pause'}
    </button>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

function FilterSelect({ label, value, options, onChange }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      class={value === '' ? '' : 'is-set'}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{label}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {shortUser(option)}
        </option>
      ))}
    </select>
  );
}
