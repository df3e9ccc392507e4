package detector
