import { filtersOf, PAGE_SIZE, questionOf } from './incidents/filters.ts';

/** The paths of the API that the screen at this address requests first. The scripts need not be loaded to know them. */
export function firstRequests({ pathname, search }: { pathname: string; search: string }): string[] {
  const parameters = new URLSearchParams(search);
  const namespace = parameters.get('namespace') || undefined;
  const [, screen = '', id] = pathname.split('/');
  const ofScreen = (): string[] => {
    if (screen === '' || screen === 'overview') return [`/api/overview${namespace ? `?${new URLSearchParams({ namespace })}` : ''}`];
    if (screen === 'incidents' && !id) return [questionOf(filtersOf(Object.fromEntries(parameters)), namespace, PAGE_SIZE)];
    if (['incidents', 'failures'].includes(screen) && /^[1-9]\d{0,14}$/.test(id ?? ''))
      return [`/api/pods/failed/${id}`, `/api/pods/failed/${id}/diagnosis`, '/api/mirror/active'];
    return [];
  };
  return ['/api/config', ...ofScreen()];
}
