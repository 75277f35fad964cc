import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import type { PlaygroundProblem, PlaygroundTab, PlaygroundTexts } from '../../../app/playground/protocol.ts';
import { editorTheme } from './editor-theme.ts';
import { type RequestHelp, languageHelp } from './language-help.ts';

export interface EditorProps {
  readonly texts: PlaygroundTexts;
  /** Counts the texts that were not typed here. */
  readonly revision: number;
  readonly tab: PlaygroundTab;
  readonly problems: readonly PlaygroundProblem[];
  /** Selected by the page: the range of a problem or of a step. */
  readonly range: EditorRange | undefined;
  readonly onText: (tab: PlaygroundTab, text: string) => void;
  readonly onCursor: (tab: PlaygroundTab, offset: number) => void;
  readonly request: RequestHelp;
}

/** A new object for each jump. */
export interface EditorRange {
  readonly tab: PlaygroundTab;
  readonly from: number;
  readonly to: number;
}

/** CodeMirror with a document for each tab, which keeps its history and its cursor. */
export function Editor(props: EditorProps) {
  const { texts, revision, tab, problems, range } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const documents = useRef(new Map<PlaygroundTab, EditorState>());
  const shown = useRef<PlaygroundTab>(tab);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const extensions = createExtensions(latest, shown);
    for (const [name, title] of tabs) {
      const own = [EditorView.contentAttributes.of({ 'aria-label': title }), placeholder(placeholders[name])];
      documents.current.set(name, EditorState.create({ doc: texts[name], extensions: [extensions, own] }));
    }
    const state = documents.current.get(tab);
    shown.current = tab;
    if (view.current && state) view.current.setState(state);
    else if (parent.current && state) view.current = new EditorView({ state, parent: parent.current });
    showProblems(view.current, tab, problems);
  }, [revision]);
  useEffect(() => {
    const { current } = view;
    const next = documents.current.get(tab);
    if (current === undefined || next === undefined || shown.current === tab) return;
    documents.current.set(shown.current, current.state);
    shown.current = tab;
    current.setState(next);
    showProblems(current, tab, problems);
  }, [tab]);
  useEffect(() => showProblems(view.current, tab, problems), [problems]);
  useEffect(() => {
    if (range === undefined || view.current === undefined || range.tab !== shown.current) return;
    const { length } = view.current.state.doc;
    view.current.dispatch({
      selection: { anchor: Math.min(range.from, length), head: Math.min(range.to, length) },
      effects: EditorView.scrollIntoView(Math.min(range.from, length), { y: 'center' }),
    });
    view.current.focus();
  }, [range]);
  useEffect(() => () => view.current?.destroy(), []);
  return <div ref={parent} class="editor" role="tabpanel" id="editor-panel" aria-labelledby={`tab-${tab}`} />;
}

export const tabs = [
  ['objects', 'Objects'],
  ['webhooks', 'Stub webhooks'],
  ['requests', 'Requests'],
] as const satisfies readonly (readonly [PlaygroundTab, string])[];

const placeholders: Readonly<Record<PlaygroundTab, string>> = {
  objects:
    'Objects in the cluster: webhook configurations, policies, bindings, definitions, Namespaces …, separated by ---',
  webhooks: '- name: check.example.com\n  type: validating\n  rules: pods\n  does: { deny: not today }',
  requests: '- create:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: { name: settings }',
};

interface Latest<Value> {
  readonly current: Value;
}

function createExtensions(latest: Latest<EditorProps>, shown: Latest<PlaygroundTab>): Extension {
  return [
    lintGutter(),
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    foldGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    closeBrackets(),
    yaml(),
    editorTheme,
    languageHelp((type, offset) => latest.current.request(type, offset)),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of(({ docChanged, selectionSet, state, view }) => {
      if (docChanged) latest.current.onText(shown.current, state.doc.toString());
      if (selectionSet && view.hasFocus) latest.current.onCursor(shown.current, state.selection.main.head);
    }),
  ];
}

function showProblems(view: EditorView | undefined, tab: PlaygroundTab, problems: readonly PlaygroundProblem[]): void {
  if (view === undefined) return;
  const { length } = view.state.doc;
  const diagnostics: readonly Diagnostic[] = problems
    .filter((problem) => problem.tab === tab)
    .map(({ from, to, severity, code, message }) => ({
      from: Math.min(from, length),
      to: Math.min(Math.max(to, from), length),
      severity,
      source: code,
      message,
    }));
  view.dispatch(setDiagnostics(view.state, diagnostics));
}
