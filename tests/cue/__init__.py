"""What a cue is worth: does it name what a change will touch, and is it always whole and within its budget?"""
