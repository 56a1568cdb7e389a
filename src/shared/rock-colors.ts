/** Specification 3: rock color distribution. `stone` names the drawing in `artwork/`. */
export const rockColors = [
  { name: 'Powder Blue', percent: '28.83%', count: 160, stone: 'powder-blue' },
  { name: 'Azure Pulse', percent: '21.62%', count: 120, stone: 'azure-pulse' },
  { name: 'Cool Cobalt', percent: '18.02%', count: 100, stone: 'cool-cobalt' },
  { name: 'Ocean Stone', percent: '15.32%', count: 85, stone: 'ocean-stone' },
  { name: 'Charcoal Slate', percent: '10.81%', count: 60, stone: 'charcoal-slate' },
  { name: 'Frosted Mist', percent: '5.41%', count: 30, stone: 'frosted-mist' },
] as const;
