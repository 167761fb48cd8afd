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
import { Bell, Bulb, Clock, Copies, EyeOff, Graph, Key, Pulse, Shield, Sliders, Tiles } from './components/icons.tsx';
import { Frame } from './shell/frame.tsx';
import { Broken, NotFound, Pending } from './shell/fallback-screens.tsx';
import type { ScreenEntry } from './shell/rail.tsx';

// The table of screens. Each one is a chunk of its own, loaded when somebody goes there.

/** The screens of the rail, in its order. */
const SCREENS: readonly (ScreenEntry & { load(): Promise<ComponentType> })[] = [
  { path: '/overview', name: 'Overview', icon: Tiles, load: async () => (await import('./overview/screen.tsx')).Screen },
  { path: '/incidents', name: 'Incidents', icon: Pulse, load: async () => (await import('./incidents/screen.tsx')).Screen },
  { path: '/mirrors', name: 'Mirrors', icon: Copies, load: async () => (await import('./mirrors/screen.tsx')).Screen },
  {
    path: '/graphs',
    name: 'Graphs',
    icon: Graph,
    places: [
      { name: 'Can … reach …?', search: { graph: 'network' } },
      { name: 'Roles and whom they reach', search: { graph: 'roles' } },
    ],
    load: async () => (await import('./graphs/screen.tsx')).Screen,
  },
  { path: '/advice', name: 'Advice', icon: Bulb, load: async () => (await import('./advice/screen.tsx')).Screen },
  {
    path: '/security',
    name: 'Security',
    icon: Shield,
    places: [
      { name: 'Findings that are new', search: { new: 'yes' } },
      { name: 'Critical findings', search: { severity: 'critical' } },
      { name: 'Trusted registries', search: { registries: 'yes' } },
    ],
    load: async () => (await import('./security/screen.tsx')).Screen,
  },
  {
    path: '/access',
    name: 'Access',
    icon: Key,
    places: [
      { name: 'Escalation paths', search: {} },
      { name: 'Who can …?', search: { ask: 'who-can' } },
      { name: 'What can … do?', search: { ask: 'rights' } },
    ],
    load: async () => (await import('./access/screen.tsx')).Screen,
  },
  { path: '/suppressions', name: 'Suppressions', icon: EyeOff, load: async () => (await import('./suppressions/screen.tsx')).Screen },
  { path: '/notifications', name: 'Notifications', icon: Bell, load: async () => (await import('./notifications/screen.tsx')).Screen },
  { path: '/history', name: 'History', icon: Clock, load: async () => (await import('./history/screen.tsx')).Screen },
  { path: '/admin', name: 'Admin', icon: Sliders, load: async () => (await import('./admin/screen.tsx')).Screen },
];

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

const screens = SCREENS.map(({ path, load }) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(async () => ({ default: await load() })) }),
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
