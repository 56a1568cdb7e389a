/** `torch`: the one most important action of a screen. `stone`: every other. `ghost`: quiet. `danger`: destroys. */
export type ButtonLook = 'torch' | 'stone' | 'ghost' | 'danger';
export type ButtonSize = 'medium' | 'small';

export const buttonClass = (look: ButtonLook, size: ButtonSize = 'medium', more = ''): string =>
  `button button-${look}${size === 'small' ? ' button-small' : ''}${more === '' ? '' : ` ${more}`}`;
