import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
  useParams,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { SCREENS, type ScreenPath } from './screens.ts';
import { Broken, NotFound, Pending } from './shell/fallback-screens.tsx';
import { Frame } from './shell/frame.tsx';

// The screens and their addresses. Each screen is a chunk of its own, loaded when somebody goes there.

/** Loads the component of each screen. */
const LOADS: Record<ScreenPath, () => Promise<ComponentType>> = {
  '/overview': async () => (await import('./overview/screen.tsx')).Screen,
  '/incidents': async () => (await import('./incidents/screen.tsx')).Screen,
  '/mirrors': async () => (await import('./mirrors/screen.tsx')).Screen,
  '/graphs': async () => (await import('./graphs/screen.tsx')).Screen,
  '/advice': async () => (await import('./advice/screen.tsx')).Screen,
  '/security': async () => (await import('./security/screen.tsx')).Screen,
  '/access': async () => (await import('./access/screen.tsx')).Screen,
  '/suppressions': async () => (await import('./suppressions/screen.tsx')).Screen,
  '/notifications': async () => (await import('./notifications/screen.tsx')).Screen,
  '/history': async () => (await import('./history/screen.tsx')).Screen,
  '/admin': async () => (await import('./admin/screen.tsx')).Screen,
};

/** Parses the search part of an address as plain text, without types for numbers and quotes. The last value of a repeated name wins. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

function stringifySearch(search: Record<string, unknown>): string {
  const text = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])),
  ).toString();
  return text && `?${text}`;
}

const root = createRootRoute({
  component: () => <Frame screens={SCREENS} />,
  notFoundComponent: NotFound,
  // The chosen namespace stays when a person changes the screen.
  search: { middlewares: [retainSearchParams<{ namespace?: string }>(['namespace'])] },
});

const screens = SCREENS.map(({ path }) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(async () => ({ default: await LOADS[path]() })) }),
);

const IncidentScreen = lazyRouteComponent(async () => ({ default: (await import('./incident/screen.tsx')).Screen }));

/** One incident by the id of a failure record. An invalid id is not requested. */
function OneIncident() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const isId = /^[1-9]\d{0,15}$/.test(id) && Number.isSafeInteger(Number(id));
  return isId ? <IncidentScreen key={id} id={Number(id)} /> : <NotFound />;
}

const incident = createRoute({ getParentRoute: () => root, path: '/incidents/$id', component: OneIncident });

const tab = createRoute({
  getParentRoute: () => root,
  path: '/admin/$tab',
  component: lazyRouteComponent(async () => ({ default: (await import('./admin/screen.tsx')).Screen })),
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/overview', replace: true });
  },
});

/** Addresses of earlier versions, which may be in messages and tickets. */
const failure = createRoute({
  getParentRoute: () => root,
  path: '/failures/$id',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/incidents/$id', params, replace: true });
  },
});

export const router = createRouter({
  routeTree: root.addChildren([home, ...screens, incident, tab, failure]),
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingComponent: Pending,
  defaultErrorComponent: Broken,
});
