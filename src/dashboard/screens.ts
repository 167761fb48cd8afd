import { Bell, Bulb, Clock, Copies, EyeOff, Graph, Key, Pulse, Shield, Sliders, Tiles } from './components/icons.tsx';
import type { ScreenEntry } from './shell/rail.tsx';

/** The screens of the rail, in its order. */
export const SCREENS = [
  { path: '/overview', name: 'Overview', icon: Tiles },
  { path: '/incidents', name: 'Incidents', icon: Pulse },
  { path: '/mirrors', name: 'Mirrors', icon: Copies },
  {
    path: '/graphs',
    name: 'Graphs',
    icon: Graph,
    places: [
      { name: 'Can … reach …?', search: { graph: 'network' } },
      { name: 'Roles and whom they reach', search: { graph: 'roles' } },
    ],
  },
  { path: '/advice', name: 'Advice', icon: Bulb },
  {
    path: '/security',
    name: 'Security',
    icon: Shield,
    places: [
      { name: 'Findings that are new', search: { new: 'yes' } },
      { name: 'Critical findings', search: { severity: 'critical' } },
      { name: 'Trusted registries', search: { registries: 'yes' } },
    ],
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
  },
  { path: '/suppressions', name: 'Suppressions', icon: EyeOff },
  { path: '/notifications', name: 'Notifications', icon: Bell },
  { path: '/history', name: 'History', icon: Clock },
  { path: '/admin', name: 'Admin', icon: Sliders },
] as const satisfies readonly ScreenEntry[];

/** The address of a screen. */
export type ScreenPath = (typeof SCREENS)[number]['path'];
