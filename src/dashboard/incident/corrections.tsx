import { Badge, Checkbox, Group, NumberInput, Text } from '@mantine/core';
import type { FailureDiagnosis, OfferedCorrection } from '../../contract/diagnosis.ts';
import { CopyButton } from '../components/copy.tsx';
import { Diff } from '../components/diff.tsx';
import { Notice } from '../components/notice.tsx';
import { Line, Prose } from '../components/prose.tsx';
import { withSigns } from '../components/unseen-characters.ts';
import { Verdict } from '../components/verdict.tsx';
import { Advice } from './cause.tsx';
import classes from './incident.module.css';
import type { Offered, Stage as Next } from './stage.ts';
import { Stage } from './stage-section.tsx';
import { MAX_TTL, MIN_TTL, type Terms } from './mirror-terms.ts';

/** The words for each confidence, and what they mean. */
const SURE: Record<OfferedCorrection['confidence'], [text: string, meaning: string]> = {
  certain: ['Certain', 'Nothing else can be wrong'],
  likely: ['Likely', 'The evidence points here'],
  guess: ['Worth a try', 'It may help: a mirror shows it'],
};

interface CorrectionsProps {
  diagnosis: FailureDiagnosis;
  offered: readonly Offered[];
  chosen: Offered | undefined;
  choose(index: number): void;
  terms: Terms;
  stage: Next;
  /** Shows the patch of the selected correction, proven or not. */
  getPatch(): void;
}

/** The second stage: corrections as cards, one of them open; or what a person must do. */
export function Corrections({ diagnosis, offered, chosen, choose, terms, stage, getPatch }: CorrectionsProps) {
  if (offered.length === 0) return <ByPeople diagnosis={diagnosis} />;
  return (
    <Stage number={2} title="Correction" beside={offered.length > 1 ? `${offered.length} are known, the best first` : ''}>
      <div role="radiogroup" aria-label="Corrections" className={classes['cards']}>
        {offered.map((one) => {
          const isChosen = one.index === chosen?.index;
          return (
            <article
              key={one.correction.title}
              className={classes['card']}
              data-chosen={isChosen || undefined}
              data-alone={offered.length === 1 || undefined}
            >
              <Head offered={one} isChosen={isChosen} isAlone={offered.length === 1} stage={stage} choose={choose} />
              {isChosen && <Body offered={one} diagnosis={diagnosis} terms={terms} getPatch={getPatch} />}
            </article>
          );
        })}
      </div>
    </Stage>
  );
}

interface HeadProps {
  offered: Offered;
  isChosen: boolean;
  isAlone: boolean;
  stage: Next;
  choose(index: number): void;
}

function Head({ offered: { index, correction, trial }, isChosen, isAlone, stage, choose }: HeadProps) {
  // The action already shows that the chosen correction is proven.
  const isSaid = isChosen && stage.kind === 'proven';
  const [sure, meaning] = SURE[correction.confidence];
  return (
    <label className={classes['card-head']}>
      <input
        type="radio"
        name="correction"
        checked={isChosen}
        className={isAlone ? classes['unseen'] : undefined}
        onChange={() => choose(index)}
      />
      <span className={classes['card-title']}>
        <Line text={correction.title} />
      </span>
      {trial && !isSaid && <Tried verdict={trial.verdict} isRunning={stage.kind === 'watching' && !trial.final} />}
      {!correction.is_fallback && <Badge variant="default">Model</Badge>}
      {correction.written_for === undefined && (
        <Badge variant="default" title={meaning}>
          {sure}
        </Badge>
      )}
    </label>
  );
}

function Tried({ verdict, isRunning }: { verdict: string | null; isRunning: boolean }) {
  if (verdict === null && isRunning) return <span className={classes['tried']}>Being tried</span>;
  return <span className={classes['tried']}>Tried: {verdict ? <Verdict verdict={verdict} /> : 'no verdict'}</span>;
}

interface BodyProps {
  offered: Offered;
  diagnosis: FailureDiagnosis;
  terms: Terms;
  getPatch(): void;
}

function Body({ offered: { correction, trial }, diagnosis, terms, getPatch }: BodyProps) {
  const { risks } = diagnosis.preview;
  const isAway = diagnosis.source === 'unknown';
  return (
    <div className={classes['card-body']}>
      <Prose text={correction.explanation} />
      <Diff diff={correction.diff} />
      {risks.length > 0 && (
        <Notice tone="unsure" title={isAway ? 'Not now' : 'Before you run it'}>
          <ul className={classes['risks']}>
            {risks.map((risk) => (
              <li key={risk}>{risk}</li>
            ))}
          </ul>
        </Notice>
      )}
      {correction.mirrorable && <TermsForm terms={terms} />}
      {!correction.mirrorable && !isAway && (
        <Text c="dimmed" size="sm">
          A mirror cannot prove this one, or may not run it: take it where the workload is kept.
        </Text>
      )}
      {correction.mirrorable && trial?.verdict !== 'Fixed' && (
        <button type="button" className={`text-button ${classes['unproven']}`} data-link onClick={getPatch}>
          Take the patch without a proof
        </button>
      )}
    </div>
  );
}

/** The options of the mirror. People who may not run mirrors see no form. */
function TermsForm({ terms }: { terms: Terms }) {
  if (!terms.mayRun) return null;
  return (
    <Group gap="lg" align="end">
      {terms.mustAcknowledge && (
        <Checkbox
          label="I know that its work may run a second time"
          checked={terms.isAcknowledged}
          onChange={(event) => terms.acknowledge(event.currentTarget.checked)}
        />
      )}
      <details className={classes['options']}>
        <summary>Runs for at most {String(terms.ttl)} s</summary>
        <NumberInput
          label="Run for at most"
          description={`seconds, ${MIN_TTL} to ${MAX_TTL}`}
          min={MIN_TTL}
          max={MAX_TTL}
          step={30}
          allowDecimal={false}
          value={terms.ttl}
          onChange={terms.setTtl}
          error={terms.isTtlRight ? undefined : `${MIN_TTL} to ${MAX_TTL}`}
          w={190}
        />
        <Text c="dimmed" size="xs" mt={4}>
          A mirror is a short-lived copy of the pod. The workload itself is not touched.
        </Text>
      </details>
    </Group>
  );
}

/** Shown when no change of the manifest helps: what a person must do, with commands. */
function ByPeople({ diagnosis }: { diagnosis: FailureDiagnosis }) {
  const { no_correction: none, advice } = diagnosis;
  return (
    <Stage number={2} title="What a person must do" tone="unsure">
      <Text size="sm">{none ? <Line text={none.why} /> : 'No change of the manifest is known that helps.'}</Text>
      {none && (
        <Text size="sm">
          <span className={classes['quiet']}>Where to look: </span>
          <Line text={none.where_to_look} />
        </Text>
      )}
      <Advice advice={advice} />
      <Commands commands={diagnosis.commands} />
    </Stage>
  );
}

/** Shell commands, each with a copy button. */
function Commands({ commands }: { commands: readonly string[] }) {
  if (commands.length === 0) return null;
  return (
    <ul className={classes['commands']} aria-label="Commands">
      {commands.map((command) => (
        <li key={command}>
          <code tabIndex={0}>{withSigns(command)}</code>
          <CopyButton text={command}>Copy</CopyButton>
        </li>
      ))}
    </ul>
  );
}
