import { useState } from 'preact/hooks';
import type { ChainChoices } from '../../explain/trace/chain-document.ts';
import { chainVerbs, resourceName } from '../chain-question.ts';
import type { ChainQuestion } from '../chain-question.ts';
import { Part } from './part.tsx';

export interface ChainFormProps {
  readonly question: ChainQuestion;
  readonly choices: ChainChoices;
  readonly onQuestion: (question: ChainQuestion) => void;
}

/** Which request the chain is asked about. It is asked anew with every change. */
export function ChainForm({ question, choices, onQuestion }: ChainFormProps) {
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
          <option key={`${one.version}/${resourceName(one)}`} value={resourceName(one)} />
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

/** What is typed stays here until it is done: the page is drawn again with every request that comes. */
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
