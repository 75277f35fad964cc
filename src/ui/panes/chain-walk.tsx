import { useState } from 'preact/hooks';
import type { ChainParticipant, ChainSection } from '../../explain/render/chain-model.ts';
import { ChainPicture, participantPanelId } from './chain-picture.tsx';

/** The picture of a chain, and the details of its selected participant. */
export function ChainWalk({ sections }: { readonly sections: readonly ChainSection[] }) {
  const [pointed, setPointed] = useState('');
  const at = findParticipant(sections, pointed);
  return (
    <div class="chain-walk">
      <ChainPicture sections={sections} pointed={at?.participant.key ?? ''} onPoint={setPointed} />
      {at && <ParticipantDetails section={at.section} participant={at.participant} isFirst={pointed === ''} />}
    </div>
  );
}

/** The selected participant, by default the first webhook or policy. */
function findParticipant(sections: readonly ChainSection[], key: string) {
  const all = sections.flatMap((section) => section.participants.map((participant) => ({ section, participant })));
  const first = all.find(({ participant: { type } }) => type === 'webhook' || type === 'policy') ?? all[0];
  return all.find(({ participant }) => participant.key === key) ?? first;
}

interface ParticipantDetailsProps {
  readonly participant: ChainParticipant;
  readonly section: ChainSection;
  /** No participant has been selected yet. */
  readonly isFirst: boolean;
}

/** The details of the selected participant, and the consequence of a failure there. */
const ParticipantDetails = ({ participant, section, isFirst }: ParticipantDetailsProps) => {
  const { type, title, word, tone, because, terms, health, failures } = participant;
  const canBeChosen = type === 'webhook' || type === 'policy';
  return (
    <aside
      id={participantPanelId}
      class={`participant-details card tone-${tone}${isFirst ? ' is-first' : ''}`}
      aria-live="polite"
      aria-label="This stage"
    >
      <p class="quiet">{section.title}</p>
      <h3>
        {type === 'plugins' ? word : title} {canBeChosen && <span class="badge">{word}</span>}
      </h3>
      {type === 'plugins' && <p>{title}</p>}
      {because.map((clause) => (
        <p key={clause}>{clause}</p>
      ))}
      {terms !== '' && (
        <p>
          {because.length > 0 && 'if so: '}
          {terms}
        </p>
      )}
      {health && <p class={`health-${health.tone}`}>{health.text}</p>}
      {failures.length > 0 && <h4>If it fails</h4>}
      <ul>
        {failures.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </aside>
  );
};
