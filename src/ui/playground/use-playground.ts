import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { defaultMinor } from '../../machinery/meta/release-names.ts';
import type { PlaygroundResult, PlaygroundTexts } from '../../app/playground/protocol.ts';
import { examples } from './examples.ts';
import { readFragment, toFragment, toTexts } from './fragment.ts';
import { hasSameContent } from './scenario-file.ts';
import { createWorkerClient, maxRunMs, type WorkerClient } from './worker-client.ts';

/** Real milliseconds after the last key. */
const typingPause = 150;

export interface PlaygroundState extends StoredState {
  /** Counts the texts that were not typed: the editor takes them over. */
  readonly revision: number;
}

export interface PlaygroundModel extends PlaygroundState {
  /** undefined before the first answer; then that of the last run. */
  readonly result: PlaygroundResult | undefined;
  /** Whether its answers are those of an earlier run, since the texts have errors now. */
  readonly isOutdated: boolean;
  readonly isRunning: boolean;
  /** Why a link or a run failed; '' for neither. */
  readonly notice: string;
  readonly client: WorkerClient | undefined;
  readonly edit: (part: Partial<PlaygroundTexts>) => void;
  readonly open: (texts: PlaygroundTexts) => void;
  readonly allowFunctions: () => void;
}

const emptyTexts: PlaygroundTexts = {
  release: `1.${defaultMinor}`,
  compareWith: '',
  objects: '',
  webhooks: '',
  requests: '',
};

/** The texts, their address, and the answers of the worker; an embedded playground stores nothing. */
export function usePlayground(isEmbedded: boolean, worker: Worker): PlaygroundModel {
  const [state, setState] = useState<PlaygroundState | undefined>(undefined);
  const [notice, setNotice] = useState('');
  useEffect(() => {
    const read = (): void =>
      void initialState(isEmbedded).then(({ notice: problem, ...next }) => {
        setNotice(problem);
        setState((old) => ({ ...next, revision: (old?.revision ?? 0) + 1 }));
      });
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [isEmbedded]);
  const run = useRuns(worker, state, setNotice);
  usePersistence(state, isEmbedded);
  const edit = useCallback(
    (part: Partial<PlaygroundTexts>) => setState((old) => old && { ...old, texts: { ...old.texts, ...part } }),
    [],
  );
  const open = useCallback(
    (texts: PlaygroundTexts) => setState((old) => ({ texts, runFunctions: true, revision: (old?.revision ?? 0) + 1 })),
    [],
  );
  const allowFunctions = useCallback(() => setState((old) => old && { ...old, runFunctions: true }), []);
  return { ...(state ?? firstState), ...run, notice, edit, open, allowFunctions };
}

const firstState: PlaygroundState = { texts: emptyTexts, runFunctions: false, revision: 0 };

/** Of the address, of the last visit, or of the first example. Functions of a link wait for a click. */
async function initialState(isEmbedded: boolean): Promise<StoredState & { readonly notice: string }> {
  const stored = isEmbedded ? undefined : storedState();
  const otherwise = stored ?? { texts: examples[0]?.texts ?? emptyTexts, runFunctions: true };
  const reading = await readFragment(location.hash);
  switch (reading.type) {
    case 'none':
      return { ...otherwise, notice: '' };
    case 'unreadable':
      return { ...otherwise, notice: `${reading.problem}: the texts of your last visit are shown instead` };
    case 'example': {
      const example = examples.find(({ name }) => name === reading.name);
      if (example) return { texts: example.texts, runFunctions: true, notice: '' };
      return { ...otherwise, notice: `there is no example ${reading.name}` };
    }
    case 'texts': {
      const isOwn = stored?.runFunctions === true && isEqual(stored.texts, reading.texts);
      return { texts: reading.texts, runFunctions: isOwn, notice: '' };
    }
  }
}

const isEqual = (a: PlaygroundTexts, b: PlaygroundTexts): boolean =>
  a.release === b.release && a.compareWith === b.compareWith && hasSameContent(a, b);

/** Runs the texts when they have not changed for a moment. */
function useRuns(
  worker: Worker,
  state: PlaygroundState | undefined,
  setNotice: (notice: string) => void,
): Pick<PlaygroundModel, 'result' | 'isOutdated' | 'isRunning' | 'client'> {
  const [{ result, isOutdated }, setResult] = useState<LastResult>(noResult);
  const [isRunning, setRunning] = useState(true);
  const [client, setClient] = useState<WorkerClient | undefined>(undefined);
  const lastRevision = useRef(0);
  useEffect(() => {
    const started = createWorkerClient(worker, {
      result: (next) => {
        setResult((last) => withLastAnswers(next, last, lastRevision.current));
        setRunning(false);
      },
      ended: () => {
        setRunning(false);
        setNotice(`the run took more than ${maxRunMs / 1000} s and was ended; it begins again with the next change`);
      },
    });
    setClient(started);
    return started.close;
  }, [worker, setNotice]);
  const { texts, runFunctions, revision } = state ?? firstState;
  useEffect(() => {
    if (client === undefined || revision === 0) return undefined;
    const isTyped = revision === lastRevision.current;
    lastRevision.current = revision;
    const timer = setTimeout(
      () => {
        setRunning(true);
        client.run(texts, runFunctions);
      },
      isTyped ? typingPause : 0,
    );
    return () => clearTimeout(timer);
  }, [client, texts, runFunctions, revision]);
  return useMemo(() => ({ result, isOutdated, isRunning, client }), [result, isOutdated, isRunning, client]);
}

interface LastResult extends Pick<PlaygroundModel, 'result' | 'isOutdated'> {
  /** Of the texts that it answers. */
  readonly revision: number;
}

const noResult: LastResult = { result: undefined, isOutdated: false, revision: 0 };

/** Texts with errors have no answers: the last ones stay, so that nothing flickers while one types. */
function withLastAnswers(result: PlaygroundResult, last: LastResult, revision: number): LastResult {
  const isUnread = result.answers.length === 0 && result.problems.some(({ severity }) => severity === 'error');
  const { answers, compared } = last.result ?? { answers: [], compared: [] };
  return isUnread && answers.length > 0 && last.revision === revision
    ? { result: { ...result, answers, compared }, isOutdated: true, revision }
    : { result, isOutdated: false, revision };
}

/** Browsers and the history become slow with longer ones; links may be longer. */
const maxAddressLength = 200_000;

/** Keeps the texts in the address and for the next visit. */
function usePersistence(state: PlaygroundState | undefined, isEmbedded: boolean): void {
  useEffect(() => {
    if (state === undefined || isEmbedded) return undefined;
    const store = (): void => storeState({ texts: state.texts, runFunctions: state.runFunctions });
    const timer = setTimeout(() => {
      store();
      void toFragment(state.texts).then((fragment) => {
        if (fragment.length <= maxAddressLength) history.replaceState(null, '', `#${fragment}`);
      });
    }, 400);
    addEventListener('pagehide', store);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', store);
    };
  }, [state, isEmbedded]);
}

/** The state that the next visit begins with. */
interface StoredState {
  readonly texts: PlaygroundTexts;
  /** Whether the reader wrote the functions or let them run. */
  readonly runFunctions: boolean;
}

const key = 'kadmit-playground';

/** undefined without storage, or for what another version stored. */
function storedState(): StoredState | undefined {
  try {
    const stored = localStorage.getItem(key);
    const texts = stored === null ? undefined : toTexts(stored.slice(1));
    return stored === null || texts === undefined ? undefined : { texts, runFunctions: stored.startsWith('+') };
  } catch {
    return undefined;
  }
}

function storeState({ texts, runFunctions }: StoredState): void {
  try {
    localStorage.setItem(key, `${runFunctions ? '+' : '-'}${JSON.stringify(texts)}`);
  } catch {
    // The state lasts until the page is closed.
  }
}
