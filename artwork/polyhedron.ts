/** x to the right, y up, z towards the viewer. */
export type Vector = readonly [x: number, y: number, z: number];

/** The half-space of all points p with normal·p <= distance; the normal has length 1. */
export interface Cut {
  readonly normal: Vector;
  readonly distance: number;
}

export interface Face extends Cut {
  /** Corners in order around the face; at least three. */
  readonly corners: readonly Vector[];
}

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const unit = (v: Vector): Vector => {
  const length = Math.sqrt(dot(v, v));
  return [v[0] / length, v[1] / length, v[2] / length];
};

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

const along = (a: Vector, b: Vector, share: number): Vector => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];

const huge = 50;
const nothing = 1e-9;

const planeSquare = ({ normal, distance }: Cut): Vector[] => {
  const side = unit(cross(normal, Math.abs(normal[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]));
  const up = cross(normal, side);
  const corner = (s: number, u: number): Vector => [
    normal[0] * distance + side[0] * s + up[0] * u,
    normal[1] * distance + side[1] * s + up[1] * u,
    normal[2] * distance + side[2] * s + up[2] * u,
  ];
  return [corner(-huge, -huge), corner(huge, -huge), corner(huge, huge), corner(-huge, huge)];
};

/** What of a polygon lies inside a cut (Sutherland and Hodgman). */
function clip(corners: readonly Vector[], { normal, distance }: Cut): Vector[] {
  return corners.flatMap((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner;
    const [here, there] = [dot(normal, corner) - distance, dot(normal, next) - distance];
    const kept = here <= nothing ? [corner] : [];
    return here * there < 0 && Math.abs(here) > nothing && Math.abs(there) > nothing
      ? [...kept, along(corner, next, here / (here - there))]
      : kept;
  });
}

/** The solid that lies inside every cut, as its faces. */
export function solidOf(cuts: readonly Cut[]): Face[] {
  return cuts.flatMap((cut) => {
    let corners = planeSquare(cut);
    for (const other of cuts) if (other !== cut && corners.length > 2) corners = clip(corners, other);
    return corners.length > 2 ? [{ ...cut, corners }] : [];
  });
}

/** How far the solid reaches in a direction. */
export const reachOf = (faces: readonly Face[], direction: Vector): number =>
  Math.max(...faces.flatMap((face) => face.corners.map((corner) => dot(corner, direction))));

/** An edge as its two ends and the direction that points out of it, between its two faces. */
export interface Ridge {
  readonly outward: Vector;
  readonly lengthSquared: number;
  readonly reach: number;
}

/** Edges between faces that meet at a marked angle, longest first. */
export function ridgesOf(faces: readonly Face[]): Ridge[] {
  const key = (v: Vector): string => v.map((part) => part.toFixed(4)).join();
  const owners = new Map<string, { face: Face; from: Vector; to: Vector }>();
  const ridges: Ridge[] = [];
  for (const face of faces) {
    face.corners.forEach((from, index) => {
      const to = face.corners[(index + 1) % face.corners.length] ?? from;
      const name = [key(from), key(to)].sort().join(' ');
      const twin = owners.get(name);
      if (twin === undefined) owners.set(name, { face, from, to });
      else if (dot(twin.face.normal, face.normal) < 0.9) ridges.push(ridgeBetween(twin.face, face, from, to));
    });
  }
  return ridges.sort((a, b) => b.lengthSquared - a.lengthSquared);
}

const ridgeBetween = (a: Face, b: Face, from: Vector, to: Vector): Ridge => {
  const outward = unit([a.normal[0] + b.normal[0], a.normal[1] + b.normal[1], a.normal[2] + b.normal[2]]);
  const step: Vector = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  return { outward, lengthSquared: dot(step, step), reach: dot(from, outward) };
};
