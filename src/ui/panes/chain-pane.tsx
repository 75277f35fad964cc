import { useCallback, useMemo, useState } from 'preact/hooks';
import { chainModel } from '../../explain/render/chain-model.ts';
import type { ChainChoices, ChainDocument } from '../../explain/trace/chain-document.ts';
import { toChainRequest, type ChainQuestion, chainVerbs, chainResourceName } from '../chain-question.ts';
import type { ChainSource } from '../page-source.ts';
import { useLoaded, useReload } from '../use-loaded.ts';
import { ChainWalk } from './chain-walk.tsx';
import { MappingsPanel } from './mappings-panel.tsx';
import { PaneBar, Part } from './pane-bar.tsx';
import { TimeMeter } from './budget-pane.tsx';

export interface ChainPaneProps {
  readonly chain: ChainSource;
  readonly choices: ChainChoices;
  readonly question: ChainQuestion;
  readonly onQuestion: (question: ChainQuestion) => void;
  /** Changes with every write to a configuration. */
  readonly version: number;
}

/** The present chain for a hypothetical request. */
export function ChainPane({ chain, choices, question, onQuestion, version }: ChainPaneProps) {
  const load = useCallback(
    async (): Promise<Answered> => ({ question, document: await chain.chainOf(toChainRequest(question, choices)) }),
    [chain, choices, question],
  );
  const loaded = useLoaded(load);
  const { value, problem, again } = loaded;
  useReload(version, again);
  const services = useMemo(() => webhookServices(value?.document), [value]);
  return (
    <main class="view">
      <PaneBar
        title="Chain"
        about="The plugins, policies and webhooks that such a request would go through now. Nothing is sent, and no webhook is called."
        loaded={loaded}
        waiting="Looking for the backends …"
        isLive
      />
      <ChainForm question={question} choices={choices} onQuestion={onQuestion} />
      <MappingsPanel chain={chain} services={services} onChanged={again} />
      {value !== undefined && problem === '' && <Walk answered={value} />}
    </main>
  );
}

interface Answered {
  readonly question: ChainQuestion;
  readonly document: ChainDocument;
}

function Walk({ answered: { question, document } }: { readonly answered: Answered }) {
  const model = useMemo(() => chainModel(document.steps, question.verb, Date.now()), [document, question]);
  return (
    <>
      <TimeMeter budget={model.budget} />
      <ChainWalk sections={model.sections} />
    </>
  );
}

const webhookServices = (document: ChainDocument | undefined): readonly string[] => [
  ...new Set((document?.steps ?? []).flatMap(({ service }) => (service === undefined ? [] : [service]))),
];

interface ChainFormProps {
  readonly question: ChainQuestion;
  readonly choices: ChainChoices;
  readonly onQuestion: (question: ChainQuestion) => void;
}

/** Every change updates the chain. */
function ChainForm({ question, choices, onQuestion }: ChainFormProps) {
  const set = (part: Partial<ChainQuestion>): void => onQuestion({ ...question, ...part });
  return (
    <form class="chain-form" onSubmit={(event) => event.preventDefault()}>
      <select
        aria-label="What is done"
        value={question.verb}
        onChange={({ currentTarget: { value } }) => set({ verb: chainVerbs.find((one) => one === value) ?? 'create' })}
      >
        {chainVerbs.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <Field
        name="Resource"
        list="chain-resources"
        value={question.resource}
        onValue={(resource) => set({ resource })}
      />
      <datalist id="chain-resources">
        {choices.resources.map((one) => (
          <option key={`${one.version}/${chainResourceName(one)}`} value={chainResourceName(one)} />
        ))}
      </datalist>
      {'in '}
      <Field name="Namespace" value={question.namespace} onValue={(namespace) => set({ namespace })} />
      {'by '}
      <Field name="User" value={question.user} onValue={(user) => set({ user })} />
      <Manifest value={question.manifest} onValue={(manifest) => set({ manifest })} />
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly list?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Keeps the text until the field is left: every incoming request renders the page again. */
function Field({ name, list = '', value, onValue }: FieldProps) {
  const [text, setText] = useState(value);
  const done = (): void => {
    if (text.trim() !== value) onValue(text.trim());
  };
  return (
    <input
      aria-label={name}
      placeholder={name.toLowerCase()}
      spellcheck={false}
      autocomplete="off"
      list={list}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      onChange={done}
      onKeyDown={({ key }) => key === 'Enter' && done()}
    />
  );
}

function Manifest({ value, onValue }: Pick<FieldProps, 'value' | 'onValue'>) {
  const [text, setText] = useState(value);
  return (
    <Part title={value === '' ? 'With a manifest' : 'With this manifest'} isOpen={value !== ''}>
      {() => (
        <textarea
          aria-label="Manifest, YAML or JSON"
          placeholder="The object, YAML or JSON. Without it, whatever depends on labels and fields stays open."
          rows={8}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onChange={() => onValue(text)}
        />
      )}
    </Part>
  );
}
