"""An expert for AppWorld, made of the reference solutions: from recorded calls to programs, and from these to episodes.

calls, trace        a reference as calls of APIs, with the answers they got
stages, sources     the same steps in all three tasks of a scenario, and what is known before each
origins, answers    where every value comes from: told, picks, lists, rows out of what is known,
                    and for these atoms, filters, extremes, templates
program, blocks     one program for the scenario, as functions with parameters
expert, wording     the policy that plays it
"""
