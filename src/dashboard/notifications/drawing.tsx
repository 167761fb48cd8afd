import classes from './drawing.module.css';
import type { Sketch } from './drawing.ts';
import type { Block, Run } from './markup.ts';

const PLACES: Record<Sketch['place'], string | undefined> = {
  new: undefined,
  reply: 'A reply in the thread',
  change: 'The same message, changed',
};

/** A message as people see it, drawn in neutral shapes. */
export function Drawing({ sketch: { layout, place, colour, blocks }, name }: { sketch: Sketch; name: string }) {
  return (
    <div className={classes['place']} data-place={place}>
      {PLACES[place] && <p className={classes['note']}>{PLACES[place]}</p>}
      <div
        className={classes['drawing']}
        data-layout={layout}
        style={colour === undefined ? undefined : { borderInlineStartColor: colour }}
        role="group"
        aria-label={`A message in ${name}`}
      >
        {layout === 'message' && (
          <p className={classes['sender']}>
            <span className={classes['face']} aria-hidden="true">
              P
            </span>
            <b>Podmend</b> <span className={classes['app']}>app</span>
          </p>
        )}
        {blocks.map((block, index) => (
          <Piece key={index} block={block} />
        ))}
      </div>
    </div>
  );
}

function Piece({ block }: { block: Block }) {
  switch (block.is) {
    case 'head':
      return (
        <p className={classes['head']}>
          <Runs runs={block.runs} />
        </p>
      );
    case 'line':
      return (
        <p className={classes['line']}>
          <Runs runs={block.runs} />
        </p>
      );
    case 'code':
      return (
        <pre className={classes['code']}>
          <Signed text={block.text} />
        </pre>
      );
    case 'tag':
      return <span className={classes['tag']}>{block.text}</span>;
    case 'facts':
      return (
        <dl className={classes['facts']}>
          {block.facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      );
    case 'buttons':
      return (
        <p className={classes['buttons']}>
          {block.names.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </p>
      );
  }
}

/** Links are drawn but lead nowhere, because the incident is an example. */
function Runs({ runs }: { runs: Run[] }) {
  return runs.map(({ text, style }, index) =>
    style === 'strong' ? (
      <b key={index}>{text}</b>
    ) : style === 'code' ? (
      <code key={index}>{text}</code>
    ) : (
      <span key={index} className={style === 'link' ? classes['link'] : undefined}>
        <Signed text={text} />
      </span>
    ),
  );
}

const SIGNS: Record<string, string> = { '🔴': 'fails', '🟢': 'over', '🔵': 'test' };

/** The emoji before a title as a dot, because some machines have no font for it. */
function Signed({ text }: { text: string }) {
  const sign = SIGNS[text.slice(0, 2)];
  if (sign === undefined) return text;
  return (
    <>
      <span className={classes['sign']} data-sign={sign} />
      {text.slice(2)}
    </>
  );
}
