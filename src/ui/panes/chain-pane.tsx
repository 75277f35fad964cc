import { useCallback, useMemo, useState } from 'preact/hooks';
import { chainModel } from '../../explain/render/chain-model.ts';
import type { ChainModel } from '../../explain/render/chain-model.ts';
import type { ChainChoices, ChainDocument } from '../../explain/trace/chain-document.ts';
import { askedOf } from '../chain-question.ts';
import type { ChainQuestion } from '../chain-question.ts';
import type { ChainSource } from '../page-source.ts';
import { useAgain } from '../use-again.ts';
import { useLoaded } from '../use-loaded.ts';
import { ChainForm } from './chain-form.tsx';
import { ChainPicture } from './chain-picture.tsx';
import { ChainStop } from './chain-stop.tsx';
import { MappingsPanel } from './mappings-panel.tsx';
import { PaneBar } from './pane-bar.tsx';
import { TimeMeter } from './time-meter.tsx';

export interface ChainPaneProps {
  readonly chain: ChainSource;
  readonly choices: ChainChoices;
  readonly question: ChainQuestion;
  readonly onQuestion: (question: ChainQuestion) => void;
  /** Changes with every write to a configuration. */
  readonly version: number;
}

/** A picture of the chain as it is configured now, for a request that nobody sent. */
export function ChainPane({ chain, choices, question, onQuestion, version }: ChainPaneProps) {
  const load = useCallback(
    async (): Promise<Answered> => ({ question, document: await chain.ask(askedOf(question, choices)) }),
    [chain, choices, question],
  );
  const loaded = useLoaded(load);
  const { value, problem, again } = loaded;
  useAgain(version, again);
  const services = useMemo(() => servicesIn(value?.document), [value]);
  return (
    <main class="view">
      <PaneBar
        title="Chain"
        about="Who would be asked about such a request, as everything is configured now. Nothing is sent, and no webhook called."
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
  const [pointed, setPointed] = useState('');
  const at = stopAt(model, pointed);
  return (
    <>
      <TimeMeter budget={model.budget} />
      <div class="chain-walk">
        <ChainPicture model={model} pointed={at?.stop.key ?? ''} onPoint={setPointed} />
        {at && <ChainStop stretch={at.stretch} stop={at.stop} isFirst={pointed === ''} />}
      </div>
    </>
  );
}

/** The one that is pointed at; as long as there is none, the first webhook or policy. */
function stopAt({ stretches }: ChainModel, key: string) {
  const all = stretches.flatMap((stretch) => stretch.stops.map((stop) => ({ stretch, stop })));
  const first = all.find(({ stop: { type } }) => type === 'webhook' || type === 'policy') ?? all[0];
  return all.find(({ stop }) => stop.key === key) ?? first;
}

const servicesIn = (document: ChainDocument | undefined): readonly string[] => [
  ...new Set((document?.steps ?? []).flatMap(({ service }) => (service === undefined ? [] : [service]))),
];
