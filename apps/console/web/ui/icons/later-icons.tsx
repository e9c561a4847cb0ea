import { icon, path } from './icons';

// Those that the first file does not need.
export const ChevronRightIcon = path('M6 4l4 4-4 4');
export const ChevronLeftIcon = path('M10 4L6 8l4 4');
export const PlusIcon = path('M8 3v10M3 8h10');
export const MinusIcon = path('M3 8h10');
export const RetryIcon = path('M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.6h-2.6');
export const ExternalIcon = path('M6.5 3.5h-3v9h9v-3M9.5 2.5h4v4M13 3L7.5 8.5');
export const FilterIcon = path('M2.5 4h11M4.5 8h7M6.5 12h3');
export const PlayIcon = path('M5 3.5l7.5 4.5L5 12.5z');
export const StopIcon = icon(<rect x="4" y="4" width="8" height="8" rx="1" />);
export const MoreIcon = path('M3.5 8h.01M8 8h.01M12.5 8h.01');
