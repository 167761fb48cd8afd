import type { Notification } from './service.ts';

/** An emoji that shows the state of a message even in a list of channels: failing, a finding, resolved, or a test. */
export function signOf({ event }: Pick<Notification, 'event'>): string {
  return event === 'resolved' ? '🟢' : event === 'test' ? '🔵' : event === 'finding' ? '🟠' : '🔴';
}

/** The colour of the state, as 0xRRGGBB. */
export function colourOf({ event }: Pick<Notification, 'event'>): number {
  return event === 'resolved' ? 0x2e_a0_43 : event === 'test' ? 0x1f_6f_eb : event === 'finding' ? 0xd2_99_22 : 0xcf_22_2e;
}

/** The title after the emoji of its state. */
export const headOf = (notification: Notification): string => `${signOf(notification)} ${notification.title}`;

/** Text, facts and sections as lines, for services that show plain text only. */
export function linesOf({ text, news, facts, sections }: Notification): string {
  const told = facts.map(({ name, value }) => `${name}: ${value}`).join('\n');
  const parts = sections.map(({ title, text: said }) => `${title}\n${said}`);
  return [news, text, told, ...parts].filter((part) => part !== '').join('\n\n');
}
