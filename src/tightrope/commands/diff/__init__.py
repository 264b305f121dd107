"""`tightrope diff`: two versions of a program.

A *change* is what differs in the C (changes), its *impact* is what it may affect (impact), and a *difference* is an
input on which the versions behave differently (comparing, equality).
"""
