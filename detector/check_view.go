package detector

// What the checks share: reading a view, and building a shape.
