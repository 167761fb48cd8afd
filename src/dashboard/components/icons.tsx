import type { ReactNode } from 'react';

interface IconProps {
  size?: number;
}

/** An icon. The text beside it, or the label of its button, says what it means. */
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
export const Search = icon(
  <>
    <circle cx="11" cy="11" r="6" />
    <path d="M20 20l-4.5-4.5" />
  </>,
);
export const Sun = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />
  </>,
);
export const Moon = icon(<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z" />);
export const Pending = icon(<circle cx="12" cy="12" r="4" />);

/** The product's mark. */
export function Mark({ size = 28 }: IconProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#3b5bdb" />
      <path d="M6 17h5l3-8 5 14 3-6h4" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
