/** The mutants of this process: which one is active, and which were covered. */
interface MutantState {
  active: number;
  isLoading: boolean;
  /** Duration of the tests of the file without a mutant. */
  milliseconds: number;
  /** How often the code may still reach a mutant while one is active: it ends infinite loops. */
  hitsLeft: number;
  /** Covered by the current test. */
  readonly coveredByTest: Set<number>;
  /** Starts the next file with empty sets: what its tests cover, and what is covered before its first test. */
  readonly startFile: () => { readonly covered: ReadonlySet<number>; readonly coveredAtLoad: ReadonlySet<number> };
}

export const maxHits = 20_000_000;

function createMutantState(): MutantState {
  let covered = new Set<number>();
  let coveredAtLoad = new Set<number>();
  const state: MutantState = {
    active: Number(process.env['MUTANT'] ?? -1),
    isLoading: true,
    milliseconds: 0,
    hitsLeft: maxHits,
    coveredByTest: new Set(),
    startFile: () => {
      state.isLoading = true;
      state.milliseconds = 0;
      covered = new Set();
      // Modules are loaded once for all files: every file that imports one covers it.
      coveredAtLoad = new Set();
      return { covered, coveredAtLoad };
    },
  };
  const isMutant = (number: number): boolean => {
    if (state.active < 0) {
      (state.isLoading ? coveredAtLoad : covered).add(number);
      state.coveredByTest.add(number);
      return false;
    }
    state.hitsLeft -= 1;
    if (state.hitsLeft < 0) throw new Error('infinite loop with this mutant');
    return number === state.active;
  };
  Object.assign(globalThis, { isMutant, mutantState: state });
  return state;
}

const hasState = (value: object): value is { readonly mutantState: MutantState } => 'mutantState' in value;

const globals: object = globalThis;

/** One for the process: the runner and the setup file load this module separately. */
export const mutantState: MutantState = hasState(globals) ? globals.mutantState : createMutantState();
