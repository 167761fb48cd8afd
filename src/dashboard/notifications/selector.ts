/** A label selector as Kubernetes stores it. */
export interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

const KEY = '[\\w./-]+';
const SET = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const EQUAL = new RegExp(`^(${KEY})\\s*(==|=|!=)\\s*([\\w.-]*)$`);
const THERE = new RegExp(`^(!?)\\s*(${KEY})$`);

/** Parses a selector in kubectl's syntax: `app=web, tier in (a, b), !canary`. Otherwise names the part that cannot be parsed. */
export function readSelector(text: string): { selector: Selector | undefined } | { wrong: string } {
  // A comma in parentheses separates values.
  const parts = (text.match(/(?:\([^()]*\)|[^,])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');
  const labels: Record<string, string> = {};
  const expressions: NonNullable<Selector['matchExpressions']> = [];
  for (const part of parts) {
    const read = readPart(part);
    if (!read) return { wrong: part };
    if ('label' in read && labels[read.label[0]] === undefined) labels[read.label[0]] = read.label[1];
    else if ('label' in read) expressions.push({ key: read.label[0], operator: 'In', values: [read.label[1]] });
    else expressions.push(read.expression);
  }
  if (parts.length === 0) return { selector: undefined };
  return {
    selector: {
      ...(Object.keys(labels).length > 0 && { matchLabels: labels }),
      ...(expressions.length > 0 && { matchExpressions: expressions }),
    },
  };
}

type Part = { label: [key: string, value: string] } | { expression: NonNullable<Selector['matchExpressions']>[number] };

function readPart(part: string): Part | undefined {
  const [, key = '', word, list = ''] = SET.exec(part) ?? [];
  if (word) {
    const values = list.split(',').map((value) => value.trim());
    const isRight = values.every((value) => /^[\w.-]*$/.test(value)) && list.trim() !== '';
    return isRight ? { expression: { key, operator: word === 'in' ? 'In' : 'NotIn', values } } : undefined;
  }
  const [, name = '', sign, value = ''] = EQUAL.exec(part) ?? [];
  if (sign) return sign === '!=' ? { expression: { key: name, operator: 'NotIn', values: [value] } } : { label: [name, value] };
  const [, not, there] = THERE.exec(part) ?? [];
  return there ? { expression: { key: there, operator: not ? 'DoesNotExist' : 'Exists' } } : undefined;
}

/** The same the other way round. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: Selector): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  return [...labels, ...matchExpressions.map(expressionText)].join(', ');
}

function expressionText({ key, operator, values = [] }: NonNullable<Selector['matchExpressions']>[number]): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  if (operator === 'NotIn' && values.length === 1) return `${key}!=${values[0]}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(', ')})`;
}
