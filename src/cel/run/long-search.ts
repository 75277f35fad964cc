import type { RE2JS } from 're2js';
import type { Steps } from '../../apimachinery/pause.ts';

/** Where a match begins and ends, in units. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** An instruction of a compiled pattern. */
interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly matchRune: (rune: number) => boolean;
}

/** As the library numbers them; those after `nop` take a character. */
const op = { alt: 1, altMatch: 2, capture: 3, emptyWidth: 4, match: 6, nop: 7, any: 10, anyNotNewline: 11 } as const;

/** What an assertion may ask of a place. */
const asks = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, boundary: 16, noBoundary: 32 } as const;

interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  /** Text that each match begins with, short enough to be looked for. */
  readonly prefix: string;
  readonly isAnchored: boolean;
}

/** Where a search is in the program, in order of preference, and where what it may become a match of began. */
interface Threads {
  readonly places: Int32Array;
  readonly begins: Int32Array;
  size: number;
  /** Instructions that have been met in this round. */
  readonly met: Int32Array;
  round: number;
}

/** So many instructions are tried in a step: a fraction of a millisecond, or some of them before V8 has compiled this. */
const tried = 5_000;
const longestPrefix = 16;

/**
 * The leftmost match from a unit on, of several the one that backtracking would find first: what RE2 finds, in steps.
 * Follows go src/regexp/exec.go.
 */
export function* searchInSteps(search: Search, from: number): Steps<Match | undefined> {
  const { program, text } = search;
  let [now, next] = search.threads;
  let match: Match | undefined;
  clear(now);
  clear(next);
  for (let at = from; at <= text.length;) {
    if (now.size === 0) {
      if (match !== undefined) return match;
      at = nextPlace(program, text, at);
      if (at < 0) return match;
    }
    if (match === undefined) follow(program, now, [program.start, at], contextAt(text, at));
    const rune = text.codePointAt(at) ?? -1;
    const after = rune > 0xffff ? at + 2 : at + 1;
    match = stepThreads(program, { now, next, text }, { at, rune, after }) ?? match;
    search.work += 2 + now.size;
    clear(now);
    [now, next] = [next, now];
    at = after;
    if (search.work < tried) continue;
    search.work = 0;
    yield;
  }
  return match;
}

/** One text that is searched, perhaps many times. */
export interface Search {
  readonly program: Program;
  readonly text: string;
  readonly threads: readonly [Threads, Threads];
  /** Since others were let in. */
  work: number;
}

export function createSearch(regex: RE2JS, text: string): Search {
  const program = programOf(regex);
  const size = program.instructions.length;
  return { program, text, threads: [createThreads(size), createThreads(size)], work: 0 };
}

/** All matches from the left, at most `limit`; an empty one not at the end of another. Follows go src/regexp/regexp.go allMatches. */
export function* findInSteps(regex: RE2JS, text: string, limit: number): Steps<readonly string[]> {
  const search = createSearch(regex, text);
  const found: string[] = [];
  let last = -1;
  for (let at = 0; at <= text.length && found.length < limit;) {
    const match = yield* searchInSteps(search, at);
    if (match === undefined) return found;
    if (match.end > match.start || match.start !== last) found.push(text.slice(match.start, match.end));
    const width = (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    at = match.end === at ? at + width : match.end;
    last = match.end;
  }
  return found;
}

/** Where a match may begin, here or later; -1 for nowhere. */
function nextPlace({ isAnchored, prefix }: Program, text: string, at: number): number {
  if (isAnchored) return at === 0 ? 0 : -1;
  return prefix === '' ? at : text.indexOf(prefix, at);
}

function programOf(regex: RE2JS): Program {
  const { prog, prefix, cond } = regex.re2();
  return {
    instructions: prog.inst,
    start: prog.start,
    prefix: prefix.length > longestPrefix ? '' : prefix,
    isAnchored: (cond & asks.beginText) !== 0,
  };
}

const createThreads = (size: number): Threads => ({
  places: new Int32Array(size),
  begins: new Int32Array(size),
  size: 0,
  met: new Int32Array(size),
  round: 1,
});

function clear(threads: Threads): void {
  threads.size = 0;
  threads.round += 1;
}

interface Both {
  readonly now: Threads;
  readonly next: Threads;
  readonly text: string;
}

/** Takes a character, -1 at the end; the match that the best of the threads has come to, if any has. */
function stepThreads(
  program: Program,
  { now, next, text }: Both,
  { at, rune, after }: { readonly at: number; readonly rune: number; readonly after: number },
): Match | undefined {
  const context = contextAt(text, after);
  for (let index = 0; index < now.size; index += 1) {
    const instruction = program.instructions[now.places[index] ?? 0];
    const begin = now.begins[index] ?? 0;
    if (instruction?.op === op.match) return { start: begin, end: at };
    if (instruction !== undefined && takes(instruction, rune)) follow(program, next, [instruction.out, begin], context);
  }
  return undefined;
}

function takes(instruction: Instruction, rune: number): boolean {
  if (rune < 0) return false;
  if (instruction.op === op.any) return true;
  return instruction.op === op.anyNotNewline ? rune !== 10 : instruction.matchRune(rune);
}

/** Adds a thread for each instruction that can be reached without a character. */
function follow(
  { instructions }: Program,
  threads: Threads,
  [place, begin]: readonly [number, number],
  context: number,
): void {
  const others = [place];
  for (let at = others.pop(); at !== undefined; at = others.pop()) {
    const instruction = instructions[at];
    if (instruction === undefined || threads.met[at] === threads.round) continue;
    threads.met[at] = threads.round;
    if (instruction.op === op.alt || instruction.op === op.altMatch) others.push(instruction.arg, instruction.out);
    else if (instruction.op === op.capture || instruction.op === op.nop) others.push(instruction.out);
    else if (instruction.op === op.emptyWidth) {
      if ((instruction.arg & ~context) === 0) others.push(instruction.out);
    } else if (instruction.op >= op.match) {
      threads.places[threads.size] = at;
      threads.begins[threads.size] = begin;
      threads.size += 1;
    }
  }
}

/** What holds between two characters. */
function contextAt(text: string, at: number): number {
  const before = at > 0 ? text.charCodeAt(at - 1) : -1;
  const after = at < text.length ? text.charCodeAt(at) : -1;
  const boundary = isWord(before) === isWord(after) ? asks.noBoundary : asks.boundary;
  const begin = before < 0 ? asks.beginText | asks.beginLine : before === 10 ? asks.beginLine : 0;
  const end = after < 0 ? asks.endText | asks.endLine : after === 10 ? asks.endLine : 0;
  return boundary | begin | end;
}

const isWord = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95;

/** What is done in a step, as short, in looks into a table. To make a state takes so many of them for each instruction. */
const looked = 20_000;
const looksOfInstruction = 5;
const unanchored = 0;

/**
 * Is there a match? By the library's automaton, whose states are made as they are met; if there are too many of them, by search.
 * Follows the library's DFA.
 */
export function* testInSteps(regex: RE2JS, text: string): Steps<boolean> {
  const { dfa } = regex.re2();
  const search = { resetPos: -1 };
  const newState = looksOfInstruction * regex.programSize();
  let work = 0;
  let state: State | null = dfa.start({ context: (at: number) => contextAt(text, at), step: () => -1 }, 0);
  for (let at = 0; state !== null;) {
    const rune = text.codePointAt(at) ?? -1;
    const kind = rune < 0 ? dfa.numClasses : dfa.runeClass(rune);
    const known: State | null | undefined = state.next?.[kind];
    state = known ?? dfa.stepOrReset(state, kind, rune, unanchored, at, search);
    if (state !== null && (state.isMatch || rune < 0)) return state.isMatch;
    at += rune > 0xffff ? 2 : 1;
    work += known ? 1 : newState;
    if (work < looked) continue;
    work = 0;
    yield;
  }
  return (yield* searchInSteps(createSearch(regex, text), 0)) !== undefined;
}

interface State {
  readonly isMatch: boolean;
  readonly next: readonly (State | null)[] | null;
}
