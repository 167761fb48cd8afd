import type { ReactNode } from 'react';

interface IconProps {
  size?: number;
}

/** An icon without a text alternative; the text beside it or its button's label gives the meaning. */
function icon(lines: ReactNode) {
  return ({ size = 18 }: IconProps) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {lines}
    </svg>
  );
}

export const Check = icon(<path d="M5 12.5l4.5 4.5L19 7.5" />);
export const Cross = icon(<path d="M6 6l12 12M18 6L6 18" />);
export const Question = icon(
  <>
    <path d="M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.1-1.5 2.3" />
    <path d="M12 18.5v.01" />
  </>,
);
export const Back = icon(<path d="M15 5l-7 7 7 7" />);
export const Down = icon(<path d="M6 9l6 6 6-6" />);
export const Up = icon(<path d="M6 15l6-6 6 6" />);
export const Search = icon(
  <>
    <circle cx="11" cy="11" r="6" />
    <path d="M20 20l-4.5-4.5" />
  </>,
);
export const Bars = icon(<path d="M4 7h16M4 12h16M4 17h16" />);
export const Person = icon(
  <>
    <circle cx="12" cy="8" r="3.5" />
    <path d="M5 20c.6-3.6 3.4-5.5 7-5.5s6.4 1.9 7 5.5" />
  </>,
);
export const Pulse = icon(<path d="M3 13h4l2.5-7 4.5 12 2.5-5H21" />);
export const Copies = icon(<path d="M9 9h11v11H9zM15 5V4H4v11h1" />);
export const Bulb = icon(<path d="M9.5 17.5h5M10.5 21h3M8.5 15a6 6 0 1 1 7 0v2.5h-7z" />);
export const EyeOff = icon(
  <path d="M4 4l16 16M9.9 5.4A9.6 9.6 0 0 1 21.5 12a12 12 0 0 1-2.3 3.1M6.3 7.1A12 12 0 0 0 2.5 12a9.8 9.8 0 0 0 13.3 5.7M10 10.2a2.8 2.8 0 0 0 3.9 3.9" />,
);
export const Bell = icon(<path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 21h4" />);
export const Sliders = icon(<path d="M5 4v6M5 14v6M12 4v10M12 18v2M19 4v3M19 11v9M3 12h4M10 16h4M17 9h4" />);
export const Shield = icon(<path d="M12 3l7.5 3v5.5c0 4.6-3 7.8-7.5 9.5-4.5-1.7-7.5-4.9-7.5-9.5V6z" />);
export const Key = icon(
  <>
    <circle cx="8" cy="15.5" r="4" />
    <path d="M11 12.5L19.5 4M16 7.5l3 3" />
  </>,
);
export const Copy = icon(<path d="M9 9h11v11H9zM15 5V4H4v11h1" />);
export const Pending = icon(<circle cx="12" cy="12" r="4" />);

export const Tiles = icon(<path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z" />);
export const Clock = icon(
  <>
    <circle cx="12" cy="12" r="8" />
    <path d="M12 7.5V12l3 2" />
  </>,
);

export const Graph = icon(
  <>
    <circle cx="6" cy="12" r="2.5" />
    <circle cx="18" cy="6" r="2.5" />
    <circle cx="18" cy="18" r="2.5" />
    <path d="M8.3 10.9l7.4-3.7M8.3 13.1l7.4 3.7" />
  </>,
);
export const Missing = icon(
  <>
    <circle cx="12" cy="12" r="8" strokeDasharray="4 3" />
    <path d="M12 8v5M12 16v.01" />
  </>,
);
export const Dots = icon(<path d="M5 12v.01M12 12v.01M19 12v.01" />);
export const Plus = icon(<path d="M12 5v14M5 12h14" />);
export const Minus = icon(<path d="M5 12h14" />);
export const Expand = icon(<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" />);

/** The product's mark. */
export function Mark({ size = 28 }: IconProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#3b5bdb" />
      <path d="M6 17h5l3-8 5 14 3-6h4" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
