import { Text } from '@mantine/core';
import type { EvidenceLine, EvidencePlace, FailureDiagnosis } from '../../contract/diagnosis.ts';
import type { ShownFailure } from '../../contract/failure.ts';
import { Line, Prose } from '../components/prose.tsx';
import { withSigns } from '../components/unseen-characters.ts';
import classes from './incident.module.css';
import { Stage } from './stage-section.tsx';

/** The number of lines that people read at a glance. The others need one click. */
const SHOWN = 3;
const NAMES: Record<EvidencePlace['in'], string> = { log: 'log', events: 'events', containers: 'containers', manifest: 'manifest' };

interface CauseProps {
  failure: ShownFailure;
  diagnosis: FailureDiagnosis;
  /** Shows the line in its place. */
  look(place: EvidencePlace): void;
}

/** The first stage: why it fails, with the lines of evidence. */
export function Cause({ failure, diagnosis, look }: CauseProps) {
  const { summary, evidence, culprit } = diagnosis;
  return (
    <Stage number={1} title="Cause" beside={failure.solution !== null && <Origin isFallback={failure.is_fallback} />}>
      <div className={classes['sentence']}>
        <Prose text={summary} />
      </div>
      {culprit && !isNamed(culprit, summary) && (
        <Text size="sm">
          <span className={classes['quiet']}>Culprit: </span>
          <bdi className={classes['mono']}>{withSigns(culprit)}</bdi>
        </Text>
      )}
      <Evidence lines={evidence.slice(0, SHOWN)} look={look} />
      {evidence.length > SHOWN && (
        <details>
          <summary>{evidence.length - SHOWN} more lines of evidence</summary>
          <Evidence lines={evidence.slice(SHOWN)} look={look} />
        </details>
      )}
      {diagnosis.source === 'gone' && (
        <Text size="sm" c="dimmed">
          The pod and its workload are gone. This is what was reported last.
        </Text>
      )}
    </Stage>
  );
}

function Origin({ isFallback }: { isFallback: boolean }) {
  return (
    <Text size="xs" c="dimmed" component="span">
      {isFallback ? 'found by rules, without a language model' : 'explained by the language model'}
    </Text>
  );
}

function Evidence({ lines, look }: { lines: EvidenceLine[]; look(place: EvidencePlace): void }) {
  return (
    <ul className={classes['evidence']} aria-label="Evidence">
      {lines.map(({ source, text, place }) => (
        <li key={`${source ?? ''}:${text}`}>
          <bdi className={classes['quoted']}>{withSigns(text)}</bdi>
          <span className={classes['source']}>
            {place ? (
              <button type="button" className="text-button" data-link onClick={() => look(place)}>
                {source ?? `in the ${NAMES[place.in]}`}
              </button>
            ) : (
              source
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What a person must do if no change of the manifest helps. */
export function Advice({ advice }: { advice: readonly string[] }) {
  if (advice.length === 0) return null;
  return (
    <ol className={classes['advice']}>
      {advice.map((one) => (
        <li key={one}>
          <Line text={one} />
        </li>
      ))}
    </ol>
  );
}

/** Whether the sentence has all words of the culprit, in whatever marks and order. */
function isNamed(culprit: string, sentence: string): boolean {
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? [];
  const said = new Set(words(sentence));
  return words(culprit).every((word) => said.has(word));
}
