import { Check, Cross, Question } from './icons.tsx';

const SAID: Record<string, [text: string, sign: typeof Check]> = {
  Fixed: ['Fixed', Check],
  StillFailing: ['Still failing', Cross],
  Inconclusive: ['Inconclusive', Question],
};

/** The verdict of a mirror. */
export function Verdict({ verdict }: { verdict: string }) {
  const [text, Sign] = SAID[verdict] ?? [verdict, Question];
  return (
    <span className="verdict" data-verdict={verdict}>
      <Sign size={16} />
      {text}
    </span>
  );
}
