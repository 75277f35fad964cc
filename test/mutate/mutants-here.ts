/** The mutants of this process: which one is switched on, and which were come by. */
interface MutantsHere {
  active: number;
  isLoading: boolean;
  /** So long the tests of the file took as they are. */
  milliseconds: number;
  /** How often the code may come by a mutant while one is switched on: what goes round and round has an end. */
  turnsLeft: number;
  /** Those that the test has come by which runs now. */
  readonly seenNow: Set<number>;
  /** Begins with empty sets, which hold what the next file comes by; the second, what it does before its first test. */
  readonly ofNextFile: () => { readonly seen: ReadonlySet<number>; readonly seenAtLoad: ReadonlySet<number> };
}

export const maxTurns = 20_000_000;

function createMutantsHere(): MutantsHere {
  let seen = new Set<number>();
  let seenAtLoad = new Set<number>();
  const here: MutantsHere = {
    active: Number(process.env['MUTANT'] ?? -1),
    isLoading: true,
    milliseconds: 0,
    turnsLeft: maxTurns,
    seenNow: new Set(),
    ofNextFile: () => {
      here.isLoading = true;
      here.milliseconds = 0;
      seen = new Set();
      // Modules are read once for all files, so whoever opens them has come by as well.
      seenAtLoad = new Set();
      return { seen, seenAtLoad };
    },
  };
  const isMutant = (number: number): boolean => {
    if (here.active < 0) {
      (here.isLoading ? seenAtLoad : seen).add(number);
      here.seenNow.add(number);
      return false;
    }
    here.turnsLeft -= 1;
    if (here.turnsLeft < 0) throw new Error('a mutant went round and round');
    return number === here.active;
  };
  Object.assign(globalThis, { isMutant, mutantsHere: here });
  return here;
}

const isMade = (value: object): value is { readonly mutantsHere: MutantsHere } => 'mutantsHere' in value;

const everything: object = globalThis;

/** One for the process: what runs the tests and what is set up before them read this file each for themselves. */
export const mutantsHere: MutantsHere = isMade(everything) ? everything.mutantsHere : createMutantsHere();
