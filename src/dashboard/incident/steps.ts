import type { MirrorRecord } from '../../contract/mirror.ts';

export interface Step {
  title: string;
  state: 'done' | 'active' | 'waiting' | 'stopped';
  /** The controller's message, if there is one. */
  message: string;
}

/** The steps of a mirror: checked, started, judged. */
export function stepsOf({ status, verdict, conditions }: MirrorRecord): Step[] {
  const find = (type: string) => conditions.find((one) => one.type === type);
  const stalled = find('Stalled');
  const isStopped = stalled?.status === 'True' || status === 'Rejected';
  const done = [
    find('Validated')?.status === 'True' || find('PodCreated')?.status === 'True',
    find('PodCreated')?.status === 'True',
    verdict !== null,
  ];
  const current = done.findIndex((one) => !one);
  const titles = ['The correction is checked', 'The mirror pod is created', 'The mirror is judged'];
  const steps = [find('Validated'), find('PodCreated'), find('Fixed')];
  return titles.map((title, index) => {
    const message = steps[index]?.message ?? '';
    if (done[index]) return { title, state: 'done', message };
    if (index !== current) return { title, state: 'waiting', message: '' };
    if (isStopped) return { title, state: 'stopped', message: stalled?.message ?? message };
    return { title, state: 'active', message: message || (find('Reconciling')?.message ?? '') };
  });
}
