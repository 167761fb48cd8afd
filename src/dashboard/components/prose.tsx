import { Code, Typography } from '@mantine/core';
import Markdown from 'react-markdown';
import gfm from 'remark-gfm';
import { withSigns } from './unseen-characters.ts';

/** A line of text in which only `code` is formatted. */
export function Line({ text }: { text: string }) {
  return withSigns(text)
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : <Code key={`${String(index)}-${part}`}>{part}</Code>));
}

/** Renders Markdown of rules, models and logs. HTML is shown as text, only web links are links, and no images are loaded. */
export function Prose({ text }: { text: string }) {
  return (
    <Typography className="prose">
      <Markdown
        remarkPlugins={[gfm]}
        disallowedElements={['img']}
        components={{
          // Headings are one level below their section's.
          h1: 'h3',
          h2: 'h3',
          h3: 'h4',
          h4: 'h5',
          a: ({ href, children }) => (
            <a href={href} target="_blank" rel="noreferrer">
              {children}
            </a>
          ),
          pre: ({ children }) => (
            // Long lines can be scrolled, also by keyboard.
            <pre tabIndex={0}>{children}</pre>
          ),
        }}
      >
        {withSigns(text)}
      </Markdown>
    </Typography>
  );
}
